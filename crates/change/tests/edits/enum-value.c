// An enumerator that is inserted renumbers those behind it, wherever they are used.
//--- old
enum { RED, GREEN, BLUE };
int main(int argc, char **argv) {
  int x = RED;
  if (argc == BLUE)
    x = 3;
  return x;
}
//--- new
enum { RED, YELLOW, GREEN, BLUE };
int main(int argc, char **argv) {
  int x = RED;
  if (argc == BLUE)
    x = 3;
  return x;
}
//--- expect
modified main old 4-4 new 4-4
