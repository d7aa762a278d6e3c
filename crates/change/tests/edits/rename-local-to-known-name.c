// A local gets a name that another one has in another scope.
//--- old
void f(int x);
int main(int argc, char **argv) {
  for (int i = 0; i < 3; i++)
    f(i);
  for (int tmp = 0; tmp < 7; tmp++)
    f(tmp * 2);
  return 0;
}
//--- new
void f(int x);
int main(int argc, char **argv) {
  for (int i = 0; i < 3; i++)
    f(i);
  for (int i = 0; i < 7; i++)
    f(i * 2);
  return 0;
}
//--- expect
unchanged
