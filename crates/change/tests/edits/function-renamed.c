// A function under another name is the same, also for those who call it.
//--- old
#include <stdio.h>
static int parse(int x) {
  int y = x * 3;
  if (y > 10)
    puts("large");
  return y;
}
int main(int argc, char **argv) { return parse(argc); }
//--- new
#include <stdio.h>
static int read_number(int x) {
  int y = x * 3;
  if (y > 10)
    puts("large");
  return y;
}
int main(int argc, char **argv) { return read_number(argc); }
//--- expect
renamed parse read_number
unchanged
