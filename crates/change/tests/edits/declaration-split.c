// Declaring and assigning are the same code as declaring with a value.
//--- old
int main(int argc, char **argv) {
  int x = argc * 2;
  return x;
}
//--- new
int main(int argc, char **argv) {
  int x;
  x = argc * 2;
  return x;
}
//--- expect
unchanged
