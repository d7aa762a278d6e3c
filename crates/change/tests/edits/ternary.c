// The results of a choice are exchanged.
//--- old
int main(int argc, char **argv) {
  int x = argc > 2 ? 5 : 7;
  return x;
}
//--- new
int main(int argc, char **argv) {
  int x = argc > 2 ? 7 : 5;
  return x;
}
//--- expect
modified main old 2-2 new 2-2
