// A global under another name is the same one.
//--- old
static int counter = 3;
int total;
int main(int argc, char **argv) {
  counter += argc;
  total = counter;
  return total;
}
//--- new
static int count = 3;
int total;
int main(int argc, char **argv) {
  count += argc;
  total = count;
  return total;
}
//--- expect
unchanged
