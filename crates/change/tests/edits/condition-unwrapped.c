// A guard is deleted; it would have run where the guarded code now runs.
//--- old
void f(int x), g(void);
int main(int argc, char **argv) {
  g();
  if (argc > 2)
    f(argc);
  g();
  return 0;
}
//--- new
void f(int x), g(void);
int main(int argc, char **argv) {
  g();
  f(argc);
  g();
  return 0;
}
//--- expect
deleted main old 4-4 at 4
