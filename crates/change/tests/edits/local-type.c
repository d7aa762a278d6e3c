// A local of another type changes what is done with it, everywhere.
//--- old
int main(int argc, char **argv) {
  int a = argc;
  if (argc > 3)
    a = a / 2;
  return argc;
}
//--- new
int main(int argc, char **argv) {
  unsigned a = argc;
  if (argc > 3)
    a = a / 2;
  return argc;
}
//--- expect
modified main old 4-4 new 4-4
