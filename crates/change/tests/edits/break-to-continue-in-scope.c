// The same jump with a number instead of a target, as locals end on the way.
//--- old
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
//--- new
int g(int);
int main(int argc, char **argv) {
  int sum = 0;
  while (sum < argc) {
    int v = g(sum);
    if (v == 0)
      continue;
    sum += v;
  }
  return sum;
}
//--- expect
modified main old 7-7 new 7-7
