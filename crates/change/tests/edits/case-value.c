// Another value leads to the same code; only the switch knows.
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
  case 4:
    f(1);
    break;
  default:
    f(3);
  }
  return 0;
}
//--- expect
modified main old 3-3 new 3-3
