// Whoever writes a variable does not care what it started with.
//--- old
static int level = 1;
int main(int argc, char **argv) {
  if (argc > 3)
    level = 5;
  return level;
}
//--- new
static int level = 2;
int main(int argc, char **argv) {
  if (argc > 3)
    level = 5;
  return level;
}
//--- expect
modified main old 5-5 new 5-5 because global level
