// Several lines that are moved together are one change.
//--- old
void f(int), g(int), h(int);
int main(int argc, char **argv) {
  f(1);
  g(argc);
  g(argc + 1);
  h(2);
  h(3);
  h(4);
  return 0;
}
//--- new
void f(int), g(int), h(int);
int main(int argc, char **argv) {
  f(1);
  h(2);
  h(3);
  h(4);
  g(argc);
  g(argc + 1);
  return 0;
}
//--- expect
modified main old 4-5 new 7-8
