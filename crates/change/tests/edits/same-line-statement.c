// A statement that is added to a line modifies the line.
//--- old
void f(int);
int main(int argc, char **argv) {
  f(1);
  f(2);
  return 0;
}
//--- new
void f(int);
int main(int argc, char **argv) {
  f(1); f(argc);
  f(2);
  return 0;
}
//--- expect
modified main old 3-3 new 3-3
