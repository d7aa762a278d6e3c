// Before the first statement is a place too.
//--- old
void f(int x);
int main(void) {
  f(7);
  f(2);
  return 0;
}
//--- new
void f(int x);
int main(void) {
  f(2);
  return 0;
}
//--- expect
deleted main old 3-3 at 3
