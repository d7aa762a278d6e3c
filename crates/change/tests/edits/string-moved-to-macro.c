// A literal behind a macro is the same literal.
//--- old
#include <stdio.h>
int main(int argc, char **argv) {
  puts("usage: main [file]");
  return 0;
}
//--- new
#include <stdio.h>
#define USAGE "usage: " "main [file]"
int main(int argc, char **argv) {
  puts(USAGE);
  return 0;
}
//--- expect
unchanged
