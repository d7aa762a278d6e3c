// Three ways to write the same addition.
//--- old
int main(int argc, char **argv) {
  int x = argc;
  x = x + 1;
  x += 1;
  return x;
}
//--- new
int main(int argc, char **argv) {
  int x = argc;
  x += 1;
  x++;
  return x;
}
//--- expect
unchanged
