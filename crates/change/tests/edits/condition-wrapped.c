// A guard is added; what it guards stays as it is.
//--- old
void f(int x), g(void);
int main(int argc, char **argv) {
  g();
  f(argc);
  g();
  return 0;
}
//--- new
void f(int x), g(void);
int main(int argc, char **argv) {
  g();
  if (argc > 2)
    f(argc);
  g();
  return 0;
}
//--- expect
added main new 4-4 at 4
