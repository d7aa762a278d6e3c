// A new case is an addition; the switch itself and the other cases stay.
//--- old
void f(int);
int main(int argc, char **argv) {
  switch (argc) {
  case 1:
    f(1);
    break;
  default:
    f(3);
  }
  return 0;
}
//--- new
void f(int);
int main(int argc, char **argv) {
  switch (argc) {
  case 1:
    f(1);
    break;
  case 2:
    f(2);
    break;
  default:
    f(3);
  }
  return 0;
}
//--- expect
added main new 8-8
