// Changes of neighbouring lines are one change.
//--- old
void f(int), g(int);
int main(int argc, char **argv) {
  f(argc);
  f(1);
  g(2);
  f(argc);
  return 0;
}
//--- new
void f(int), g(int);
int main(int argc, char **argv) {
  f(argc);
  f(10);
  g(20);
  f(argc);
  return 0;
}
//--- expect
modified main old 4-5 new 4-5
