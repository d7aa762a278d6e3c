// A local that nobody uses only takes space.
//--- old
int main(int argc, char **argv) {
  int a = argc;
  return a;
}
//--- new
int main(int argc, char **argv) {
  int spare;
  int a = argc;
  return a;
}
//--- expect
unchanged
