// Another value is returned, in a function that has several returns.
//--- old
static int sign(int x) {
  if (x < 0)
    return -1;
  if (x == 0)
    return 0;
  return 1;
}
int main(int argc, char **argv) { return sign(argc); }
//--- new
static int sign(int x) {
  if (x < 0)
    return -2;
  if (x == 0)
    return 0;
  return 1;
}
int main(int argc, char **argv) { return sign(argc); }
//--- expect
modified sign old 3-3 new 3-3
