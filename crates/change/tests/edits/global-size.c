// A table that got longer is a change where it is used.
//--- old
static int table[4];
int main(int argc, char **argv) {
  table[argc & 3] = 1;
  return argc;
}
//--- new
static int table[8];
int main(int argc, char **argv) {
  table[argc & 3] = 1;
  return argc;
}
//--- expect
modified main old 3-3 new 3-3 because global table
