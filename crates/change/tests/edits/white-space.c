// A statement that is broken over lines is still the same.
//--- old
int f(int a, int b);
int main(int argc, char **argv) {
  int x = f(argc, 2); int y = x + 1;
  return x * y;
}
//--- new
int f(int a, int b);
int main(int argc, char **argv)
{
  int x = f(argc,
            2);
  int y = x
          + 1;
  return x * y;
}
//--- expect
unchanged
