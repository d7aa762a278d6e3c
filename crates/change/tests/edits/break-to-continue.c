// Neither is an instruction of its own, only a jump that leads elsewhere.
//--- old
void f(int);
int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++) {
    if (i == 4)
      break;
    f(i);
  }
  return 0;
}
//--- new
void f(int);
int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++) {
    if (i == 4)
      continue;
    f(i);
  }
  return 0;
}
//--- expect
modified main old 5-5 new 5-5
