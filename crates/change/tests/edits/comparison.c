// The classic mistake at the end of a loop; its three parts in the code are one line.
//--- old
int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 0; i < argc; i++)
    sum += i;
  return sum;
}
//--- new
int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 0; i <= argc; i++)
    sum += i;
  return sum;
}
//--- expect
modified main old 3-3 new 3-3
