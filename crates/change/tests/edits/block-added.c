// An inserted block moves everything behind it and changes none of it.
//--- old
#include <stdio.h>
int main(int argc, char **argv) {
  int n = argc * 2;
  for (int i = 0; i < n; i++)
    printf("%d\n", i);
  return n;
}
//--- new
#include <stdio.h>
int main(int argc, char **argv) {
  int n = argc * 2;
  if (n > 10) {
    puts("too many");
    n = 10;
  }
  for (int i = 0; i < n; i++)
    printf("%d\n", i);
  return n;
}
//--- expect
added main new 4-6 at 4
