// Initial values that do not depend on each other may be given in any order.
//--- old
int main(int argc, char **argv) {
  int a = argc;
  int b = 7;
  long c = 9;
  return a - b + c;
}
//--- new
int main(int argc, char **argv) {
  long c = 9;
  int b = 7;
  int a = argc;
  return a - b + c;
}
//--- expect
unchanged
