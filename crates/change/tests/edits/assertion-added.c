// A check that ends the program, with a text that holds the line number.
//--- old
#include <assert.h>
int f(int x) {
  x *= 2;
  return x;
}
int main(int argc, char **argv) { return f(argc); }
//--- new
#include <assert.h>
int f(int x) {
  assert(x > 0);
  x *= 2;
  return x;
}
int main(int argc, char **argv) { return f(argc); }
//--- expect
added f new 3-3 at 3
