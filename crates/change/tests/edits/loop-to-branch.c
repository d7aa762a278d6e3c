// A loop that runs once at most has the same instructions but one jump.
//--- old
int g(int);
int main(int argc, char **argv) {
  int x = argc;
  while (x > 2) {
    x = g(x);
  }
  return x;
}
//--- new
int g(int);
int main(int argc, char **argv) {
  int x = argc;
  if (x > 2) {
    x = g(x);
  }
  return x;
}
//--- expect
modified main old 4-4 new 4-4
