// A function of a header is in every unit that includes it, and changes in each.
//--- old common.h
static inline int twice(int x) {
  return x * 2;
}
int other(int);
//--- new common.h
static inline int twice(int x) {
  return x << 2;
}
int other(int);
//--- both
#include "common.h"
int main(int argc, char **argv) { return twice(other(argc)); }
//--- both other.c
#include "common.h"
int other(int x) { return twice(x); }
//--- expect
modified twice old common.h:2-2 new common.h:2-2
modified twice old common.h:2-2 new common.h:2-2
