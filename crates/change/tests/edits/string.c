// A string literal is a change at the line that has it.
//--- old
#include <stdio.h>
int main(int argc, char **argv) {
  puts("first");
  puts("second");
  puts("third");
  return 0;
}
//--- new
#include <stdio.h>
int main(int argc, char **argv) {
  puts("first");
  puts("second!");
  puts("third");
  return 0;
}
//--- expect
modified main old 4-4 new 4-4
