// The place of a deletion is inside the branch, not after it where both ways meet.
//--- old
void f(int x);
int main(int argc, char **argv) {
  if (argc > 1) {
    f(1);
    f(argc);
  } else {
    f(2);
  }
  f(3);
  return 0;
}
//--- new
void f(int x);
int main(int argc, char **argv) {
  if (argc > 1) {
    f(1);
  } else {
    f(2);
  }
  f(3);
  return 0;
}
//--- expect
deleted main old 5-5 at 5
