// A table of functions gets another entry; the functions are the same.
//--- old
static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
static int neg(int x) { return -x; }
static int (*const table[])(int) = {inc, dec};
int main(int argc, char **argv) {
  int x = neg(argc);
  return table[argc & 1](x);
}
//--- new
static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
static int neg(int x) { return -x; }
static int (*const table[])(int) = {inc, neg};
int main(int argc, char **argv) {
  int x = neg(argc);
  return table[argc & 1](x);
}
//--- expect
modified main old 7-7 new 7-7 because global table
deleted dec old 2-2
