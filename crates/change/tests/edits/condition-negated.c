// The compiler writes a negation as the same comparison with the ways exchanged.
//--- old
void f(int x), g(void);
int main(int argc, char **argv) {
  if (argc)
    f(1);
  g();
  return 0;
}
//--- new
void f(int x), g(void);
int main(int argc, char **argv) {
  if (!argc)
    f(1);
  g();
  return 0;
}
//--- expect
modified main old 3-3 new 3-3
