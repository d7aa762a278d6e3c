// Two locals exchange their roles in one place.
//--- old
int main(int argc, char **argv) {
  int a = argc, b = argc * 3;
  int x = a - 1;
  int y = b + 1;
  return x * 10 + y + a + b;
}
//--- new
int main(int argc, char **argv) {
  int a = argc, b = argc * 3;
  int x = b - 1;
  int y = b + 1;
  return x * 10 + y + a + b;
}
//--- expect
modified main old 3-3 new 3-3
