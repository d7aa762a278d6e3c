// Another element of an array.
//--- old
int main(int argc, char **argv) {
  int table[4] = {argc, 2, 3, 4};
  table[1] = argc;
  return table[2];
}
//--- new
int main(int argc, char **argv) {
  int table[4] = {argc, 2, 3, 4};
  table[1] = argc;
  return table[3];
}
//--- expect
modified main old 4-4 new 4-4
