// Two conditions one after the other are the same code as both at once.
//--- old
void f(int);
int main(int argc, char **argv) {
  if (argc > 1) {
    if (argc < 9)
      f(argc);
  }
  return 0;
}
//--- new
void f(int);
int main(int argc, char **argv) {
  if (argc > 1 && argc < 9)
    f(argc);
  return 0;
}
//--- expect
unchanged
