// A function returns something wider: its head, its return and the call are others.
//--- old
static int get(int x) {
  x++;
  return x;
}
int main(int argc, char **argv) {
  int y = argc;
  return get(argc) + y;
}
//--- new
static long get(int x) {
  x++;
  return x;
}
int main(int argc, char **argv) {
  int y = argc;
  return get(argc) + y;
}
//--- expect
modified main old 7-7 new 7-7
modified get old 1-1 new 1-1 because signature
modified get old 3-3 new 3-3
