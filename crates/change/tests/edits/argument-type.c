// A wider argument is another signature.
//--- old
static int low(int x) {
  return x & 7;
}
int main(int argc, char **argv) {
  return low(argc);
}
//--- new
static int low(long x) {
  return x & 7;
}
int main(int argc, char **argv) {
  return low(argc);
}
//--- expect
modified main old 5-5 new 5-5
modified low old 1-2 new 1-2
