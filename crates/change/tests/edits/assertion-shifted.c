// A comment moves an assertion to another line, which it knows, in a file with another path.
//--- old
#include <assert.h>
int f(int x) {
  assert(x > 0);
  return x;
}
int main(int argc, char **argv) { return f(argc); }
//--- new
#include <assert.h>
int f(int x) {
  /* Nobody calls this with less. */
  assert(x > 0);
  return x;
}
int main(int argc, char **argv) { return f(argc); }
//--- expect
unchanged
