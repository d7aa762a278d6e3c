// A new literal renumbers the others, which does not change them.
//--- old
#include <stdio.h>
int main(int argc, char **argv) {
  puts("second");
  puts("third");
  return 0;
}
//--- new
#include <stdio.h>
int main(int argc, char **argv) {
  puts("first");
  puts("second");
  puts("third");
  return 0;
}
//--- expect
added main new 3-3 at 3
