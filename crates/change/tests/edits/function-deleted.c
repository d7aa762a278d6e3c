// A deleted function has no place in the new version.
//--- old
static int clamp(int x) {
  return x > 9 ? 9 : x;
}
int main(int argc, char **argv) {
  int x = clamp(argc);
  return x;
}
//--- new
int main(int argc, char **argv) {
  int x = argc;
  return x;
}
//--- expect
modified main old 5-5 new 2-2
deleted clamp old 1-2
