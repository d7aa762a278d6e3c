// A constant that is no integer.
//--- old
double f(double);
int main(int argc, char **argv) {
  double x = argc * 0.5;
  return (int)f(x);
}
//--- new
double f(double);
int main(int argc, char **argv) {
  double x = argc * 0.25;
  return (int)f(x);
}
//--- expect
modified main old 3-3 new 3-3
