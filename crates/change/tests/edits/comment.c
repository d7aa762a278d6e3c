// A comment is no code.
//--- old
int main(int argc, char **argv) {
  int x = argc;
  return x;
}
//--- new
/* A longer explanation
   of what follows. */
int main(int argc, char **argv) {
  int x = argc; // the count

  return x;
}
//--- expect
unchanged
