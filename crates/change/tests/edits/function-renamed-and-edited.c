// It may be edited on the way.
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
  if (y > 11)
    puts("large");
  return y;
}
int main(int argc, char **argv) { return read_number(argc); }
//--- expect
renamed parse read_number
modified read_number old 4-4 new 4-4
