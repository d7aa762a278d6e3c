// A local is declared in the scope that uses it.
//--- old
int g(int);
int main(int argc, char **argv) {
  int v;
  int sum = 0;
  for (int i = 0; i < argc; i++) {
    v = g(i);
    sum += v;
  }
  return sum;
}
//--- new
int g(int);
int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 0; i < argc; i++) {
    int v;
    v = g(i);
    sum += v;
  }
  return sum;
}
//--- expect
unchanged
