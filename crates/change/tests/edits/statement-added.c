// A statement in the middle of others.
//--- old
void f(int x);
int main(int argc, char **argv) {
  f(1);
  f(2);
  return 0;
}
//--- new
void f(int x);
int main(int argc, char **argv) {
  f(1);
  f(argc);
  f(2);
  return 0;
}
//--- expect
added main new 4-4 at 4
