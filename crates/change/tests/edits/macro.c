// A macro is a change wherever it is expanded.
//--- old
#define LIMIT 10
void f(int);
int main(int argc, char **argv) {
  if (argc > LIMIT)
    return 1;
  f(argc);
  f(LIMIT);
  return 0;
}
//--- new
#define LIMIT 12
void f(int);
int main(int argc, char **argv) {
  if (argc > LIMIT)
    return 1;
  f(argc);
  f(LIMIT);
  return 0;
}
//--- expect
modified main old 4-4 new 4-4
modified main old 7-7 new 7-7
