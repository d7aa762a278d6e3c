// A global that starts with another value is a change wherever it is used.
//--- old
static int limit = 10;
int other = 4;
int main(int argc, char **argv) {
  if (argc > limit)
    return 1;
  other += argc;
  return other + limit;
}
//--- new
static int limit = 20;
int other = 4;
int main(int argc, char **argv) {
  if (argc > limit)
    return 1;
  other += argc;
  return other + limit;
}
//--- expect
modified main old 4-4 new 4-4 because global limit
modified main old 7-7 new 7-7 because global limit
