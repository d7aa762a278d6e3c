// Another function is called.
//--- old
int first(int), second(int);
int main(int argc, char **argv) {
  int x = first(argc);
  return x + second(1);
}
//--- new
int first(int), second(int);
int main(int argc, char **argv) {
  int x = second(argc);
  return x + second(1);
}
//--- expect
modified main old 3-3 new 3-3
