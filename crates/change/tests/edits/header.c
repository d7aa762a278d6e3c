// A change in a header reaches two units.
//--- old common.h
#define WIDTH 4
int other(int);
//--- new common.h
#define WIDTH 8
int other(int);
//--- both
#include "common.h"
int main(int argc, char **argv) {
  int x = other(argc);
  return x * WIDTH;
}
//--- both other.c
#include "common.h"
int other(int x) {
  return x + WIDTH;
}
//--- expect
modified main old 4-4 new 4-4
modified other old other.c:3-3 new other.c:3-3
