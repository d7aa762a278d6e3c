// A further condition adds blocks, but it is a modification of the line.
//--- old
int main(int argc, char **argv) {
  int a = argc, b = argc + 1;
  if (a > 1)
    b = 4;
  return b;
}
//--- new
int main(int argc, char **argv) {
  int a = argc, b = argc + 1;
  if (a > 1 && b < 7)
    b = 4;
  return b;
}
//--- expect
modified main old 3-3 new 3-3
