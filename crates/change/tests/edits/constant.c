// A changed constant is one change of one line, and nothing after it is renumbered into one.
//--- old
#include <stdio.h>
int main(int argc, char **argv) {
  int x = argc, y;
  y = 3;
  printf("%d\n", x + y);
  return 0;
}
//--- new
#include <stdio.h>
int main(int argc, char **argv) {
  int x = argc, y;
  y = 2;
  printf("%d\n", x + y);
  return 0;
}
//--- expect
modified main old 4-4 new 4-4
