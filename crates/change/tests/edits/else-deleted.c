// The alternative of a branch is deleted; its place is the way that led to it.
//--- old
void f(int x), g(void);
int main(int argc, char **argv) {
  if (argc > 2)
    f(argc);
  else
    f(0);
  g();
  return 0;
}
//--- new
void f(int x), g(void);
int main(int argc, char **argv) {
  if (argc > 2)
    f(argc);
  g();
  return 0;
}
//--- expect
deleted main old 6-6 at 5
