// A function takes one more: its head changes, and all calls of it.
//--- old
static int scale(int x) {
  int y = x + 1;
  return y;
}
int main(int argc, char **argv) {
  int a = scale(argc);
  argc++;
  return a;
}
//--- new
static int scale(int x, int by) {
  int y = x + 1;
  return y;
}
int main(int argc, char **argv) {
  int a = scale(argc, 2);
  argc++;
  return a;
}
//--- expect
modified main old 6-6 new 6-6
modified scale old 1-1 new 1-1
