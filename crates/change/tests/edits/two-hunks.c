// Changes with an unchanged line between them are two changes.
//--- old
void f(int);
int main(int argc, char **argv) {
  f(1);
  f(argc);
  f(2);
  return 0;
}
//--- new
void f(int);
int main(int argc, char **argv) {
  f(10);
  f(argc);
  f(20);
  return 0;
}
//--- expect
modified main old 3-3 new 3-3
modified main old 5-5 new 5-5
