// What must be read each time is read by another instruction.
//--- old
int main(int argc, char **argv) {
  int stop = argc;
  while (stop)
    ;
  return 0;
}
//--- new
int main(int argc, char **argv) {
  volatile int stop = argc;
  while (stop)
    ;
  return 0;
}
//--- expect
modified main old 2-3 new 2-3
