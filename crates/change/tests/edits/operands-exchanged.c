// A subtraction the other way round has the same instructions, only not on the same values.
//--- old
int f(int, int);
int main(int argc, char **argv) {
  int a = argc, b = 4;
  return f(a * 2, b * 3) - (a - b);
}
//--- new
int f(int, int);
int main(int argc, char **argv) {
  int a = argc, b = 4;
  return (a - b) - f(a * 2, b * 3);
}
//--- expect
modified main old 4-4 new 4-4
