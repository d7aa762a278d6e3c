// A changed entry of a table is reached through the table.
//--- old
static const char *names[] = {"zero", "one", "two"};
int puts(const char *);
int main(int argc, char **argv) {
  puts(names[argc % 3]);
  return 0;
}
//--- new
static const char *names[] = {"zero", "ONE", "two"};
int puts(const char *);
int main(int argc, char **argv) {
  puts(names[argc % 3]);
  return 0;
}
//--- expect
modified main old 4-4 new 4-4 because global names
