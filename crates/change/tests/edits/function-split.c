// A part of a function becomes a function of its own.
//--- old
#include <stdio.h>
int main(int argc, char **argv) {
  puts("start");
  for (int i = 0; i < argc; i++)
    puts(argv[i]);
  puts("end");
  return 0;
}
//--- new
#include <stdio.h>
static void show(int argc, char **argv) {
  for (int i = 0; i < argc; i++)
    puts(argv[i]);
}
int main(int argc, char **argv) {
  puts("start");
  show(argc, argv);
  puts("end");
  return 0;
}
//--- expect
modified main old 4-5 new 8-8
added show new 2-5
