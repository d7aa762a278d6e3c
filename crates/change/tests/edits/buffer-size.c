// A buffer of another size is a change where it is declared.
//--- old
char *gets(char *);
int main(int argc, char **argv) {
  char buffer[16];
  gets(buffer);
  return buffer[0];
}
//--- new
char *gets(char *);
int main(int argc, char **argv) {
  char buffer[64];
  gets(buffer);
  return buffer[0];
}
//--- expect
modified main old 3-3 new 3-3 because layout
