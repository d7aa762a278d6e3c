// Two arguments change places.
//--- old
int f(int, int);
int main(int argc, char **argv) {
  int a = argc, b = argc * 2;
  int x = f(a, b);
  return x;
}
//--- new
int f(int, int);
int main(int argc, char **argv) {
  int a = argc, b = argc * 2;
  int x = f(b, a);
  return x;
}
//--- expect
modified main old 4-4 new 4-4
