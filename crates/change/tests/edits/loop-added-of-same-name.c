// A new loop with an `i` of its own does not take the place of the other loops' `i`.
//--- old
void f(int x), g(int x), h(int x);
int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++)
    f(i);
  for (int i = 0; i < 5; i++)
    g(i);
  return 0;
}
//--- new
void f(int x), g(int x), h(int x);
int main(int argc, char **argv) {
  for (int i = 3; i < 9; i += 2)
    h(i);
  for (int i = 0; i < argc; i++)
    f(i);
  for (int i = 0; i < 5; i++)
    g(i);
  return 0;
}
//--- expect
added main new 3-4 at 3
