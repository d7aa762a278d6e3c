// A jump out of a scope with locals goes through scaffolding at its end, which is not a change.
//--- old
int g(int);
int main(int argc, char **argv) {
  int sum = 0;
  while (sum < argc) {
    int v = g(sum);
    sum += v;
  }
  return sum;
}
//--- new
int g(int);
int main(int argc, char **argv) {
  int sum = 0;
  while (sum < argc) {
    int v = g(sum);
    if (v == 0)
      break;
    sum += v;
  }
  return sum;
}
//--- expect
added main new 6-6 at 6
