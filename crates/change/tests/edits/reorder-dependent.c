// Assignments that depend on each other may not: this is a move of the smaller of the two.
//--- old
int main(int argc, char **argv) {
  int a = argc;
  int b = 7;
  a = 3;
  b = a;
  return a - b;
}
//--- new
int main(int argc, char **argv) {
  int a = argc;
  int b = 7;
  b = a;
  a = 3;
  return a - b;
}
//--- expect
modified main old 4-4 new 5-5
