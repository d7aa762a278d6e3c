// A deleted statement has a place in the new version: where it would have run.
//--- old
void f(int x);
int main(int argc, char **argv) {
  f(1);
  f(argc);
  f(2);
  return 0;
}
//--- new
void f(int x);
int main(int argc, char **argv) {
  f(1);
  f(2);
  return 0;
}
//--- expect
deleted main old 4-4 at 4
