// A new function that nobody calls is still there.
//--- old
int main(int argc, char **argv) {
  return argc;
}
//--- new
int main(int argc, char **argv) {
  return argc;
}
int later(int x) {
  return x * 7;
}
//--- expect
added later new 4-5
