// Without it, one case runs into the next.
//--- old
void f(int);
int main(int argc, char **argv) {
  switch (argc) {
  case 1:
    f(1);
    break;
  case 2:
    f(2);
    break;
  }
  f(9);
  return 0;
}
//--- new
void f(int);
int main(int argc, char **argv) {
  switch (argc) {
  case 1:
    f(1);
  case 2:
    f(2);
    break;
  }
  f(9);
  return 0;
}
//--- expect
deleted main old 6-6
