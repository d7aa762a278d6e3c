// A line that is moved is one change with both places, not a deletion and an addition.
//--- old
void f(int x), g(int x), h(int x), k(int x);
int main(int argc, char **argv) {
  f(1);
  g(argc);
  h(2);
  k(3);
  return 0;
}
//--- new
void f(int x), g(int x), h(int x), k(int x);
int main(int argc, char **argv) {
  f(1);
  h(2);
  k(3);
  g(argc);
  return 0;
}
//--- expect
modified main old 4-4 new 6-6
