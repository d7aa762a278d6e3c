// A branch that is empty now still has a place of its own: the jump out of it.
//--- old
void f(int x);
int main(int argc, char **argv) {
  if (argc > 1) {
    f(argc);
  }
  f(3);
  return 0;
}
//--- new
void f(int x);
int main(int argc, char **argv) {
  if (argc > 1) {
  }
  f(3);
  return 0;
}
//--- expect
deleted main old 4-4 at 4
