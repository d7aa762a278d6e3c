// The name of a local variable means nothing.
//--- old
int main(int argc, char **argv) {
  int count = argc;
  for (int i = 0; i < 3; i++)
    count += i;
  return count;
}
//--- new
int main(int argc, char **argv) {
  int total = argc;
  for (int index = 0; index < 3; index++)
    total += index;
  return total;
}
//--- expect
unchanged
