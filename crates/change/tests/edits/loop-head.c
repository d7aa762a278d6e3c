// Changes before and after the body of a loop are of one line, so they are one change.
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
  for (int i = 1; i < argc; i += 2)
    sum += i;
  return sum;
}
//--- expect
modified main old 3-3 new 3-3
