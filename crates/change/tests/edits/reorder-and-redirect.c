// A reordering that nobody can tell does not hide that another way leads to it.
//--- old
void f(int);
int main(int argc, char **argv) {
  int a, b, c = argc;
  if (c > 3)
    goto one;
  goto two;
one:
  a = 1;
  b = 2;
  f(a + b);
two:
  f(c);
  return 0;
}
//--- new
void f(int);
int main(int argc, char **argv) {
  int a, b, c = argc;
  if (c > 3)
    goto two;
  goto two;
one:
  b = 2;
  a = 1;
  f(a + b);
two:
  f(c);
  return 0;
}
//--- expect
modified main old 5-5 new 5-5
