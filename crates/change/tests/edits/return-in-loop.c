// Leaving two scopes at once needs scaffolding at both ends of the loop, which is not a change.
//--- old
int g(int);
int f(int n) {
  int found = 0;
  for (int i = 0; i < n; i++) {
    int v = g(i);
    found += v;
  }
  return found;
}
int main(int argc, char **argv) { return f(argc); }
//--- new
int g(int);
int f(int n) {
  int found = 0;
  for (int i = 0; i < n; i++) {
    int v = g(i);
    if (v < 0)
      return -1;
    found += v;
  }
  return found;
}
int main(int argc, char **argv) { return f(argc); }
//--- expect
added f new 6-7 at 6
