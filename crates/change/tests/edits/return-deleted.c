// Without it, the function goes on.
//--- old
void f(int);
static void step(int x) {
  if (x > 3) {
    f(1);
    return;
  }
  f(2);
}
int main(int argc, char **argv) { step(argc); return 0; }
//--- new
void f(int);
static void step(int x) {
  if (x > 3) {
    f(1);
  }
  f(2);
}
int main(int argc, char **argv) { step(argc); return 0; }
//--- expect
deleted step old 5-5
