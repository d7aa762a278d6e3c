// An assertion that asserts something else, one line further down.
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
  assert(x > 1);
  return x;
}
int main(int argc, char **argv) { return f(argc); }
//--- expect
modified f old 3-3 new 4-4
