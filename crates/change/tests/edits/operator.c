// Another operation is a modification although the operands are the same.
//--- old
int main(int argc, char **argv) {
  int a = argc, b = 2, x;
  x = a + b;
  return x;
}
//--- new
int main(int argc, char **argv) {
  int a = argc, b = 2, x;
  x = a - b;
  return x;
}
//--- expect
modified main old 3-3 new 3-3
