// A static local variable that starts with another value.
//--- old
int next(void) {
  static int seed = 1;
  seed = seed * 3;
  return seed & 7;
}
int main(void) { return next(); }
//--- new
int next(void) {
  static int seed = 5;
  seed = seed * 3;
  return seed & 7;
}
int main(void) { return next(); }
//--- expect
modified next old 3-4 new 3-4 because global next.seed
