// The same operations in another order of evaluation.
//--- old
int main(int argc, char **argv) {
  int a = argc, b = 3, c = 5;
  return a - (b - c);
}
//--- new
int main(int argc, char **argv) {
  int a = argc, b = 3, c = 5;
  return (a - b) - c;
}
//--- expect
modified main old 3-3 new 3-3
