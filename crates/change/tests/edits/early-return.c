// A second `return` makes the compiler route the first one elsewhere, which is not a change of it.
//--- old
int f(int x) {
  int y = x * 2;
  return y + 1;
}
int main(int argc, char **argv) { return f(argc); }
//--- new
int f(int x) {
  int y = x * 2;
  if (x > 3)
    return 0;
  return y + 1;
}
int main(int argc, char **argv) { return f(argc); }
//--- expect
added f new 3-4 at 3
