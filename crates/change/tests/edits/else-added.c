// A branch gets an alternative.
//--- old
void f(int x), g(void);
int main(int argc, char **argv) {
  if (argc > 2)
    f(argc);
  g();
  return 0;
}
//--- new
void f(int x), g(void);
int main(int argc, char **argv) {
  if (argc > 2)
    f(argc);
  else
    f(0);
  g();
  return 0;
}
//--- expect
added main new 6-6 at 5
