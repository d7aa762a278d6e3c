// Of a statement over several lines, only the line that changed is marked.
//--- old
int f(int, int, int);
int main(int argc, char **argv) {
  return f(argc + 1,
           argc + 2,
           argc + 3);
}
//--- new
int f(int, int, int);
int main(int argc, char **argv) {
  return f(argc + 1,
           argc - 2,
           argc + 3);
}
//--- expect
modified main old 4-4 new 4-4
