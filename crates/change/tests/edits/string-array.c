// A local array's initial value is a hidden constant of the line.
//--- old
int f(char *);
int main(int argc, char **argv) {
  char text[] = "alpha beta gamma delta";
  return f(text);
}
//--- new
int f(char *);
int main(int argc, char **argv) {
  char text[] = "alpha beta gamma deltA";
  return f(text);
}
//--- expect
modified main old 3-3 new 3-3
