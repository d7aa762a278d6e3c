// The way that is gone led back to the loop, which is still there.
//--- old
void f(int);
int g(void);
int main(int argc, char **argv) {
  while (g()) {
    switch (argc) {
    case 1:
      f(1);
      break;
    case 2:
      f(2);
      break;
    }
  }
  return 0;
}
//--- new
void f(int);
int g(void);
int main(int argc, char **argv) {
  while (g()) {
    switch (argc) {
    case 1:
      f(1);
    case 2:
      f(2);
      break;
    }
  }
  return 0;
}
//--- expect
deleted main old 8-8
