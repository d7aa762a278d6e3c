// A new function is a change, and so is the line that calls it.
//--- old
int main(int argc, char **argv) {
  int x = argc;
  return x;
}
//--- new
static int clamp(int x) {
  return x > 9 ? 9 : x;
}
int main(int argc, char **argv) {
  int x = clamp(argc);
  return x;
}
//--- expect
modified main old 2-2 new 5-5
added clamp new 1-2
