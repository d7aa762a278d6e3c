// A global that only a table names is used where the table is used.
//--- old
static int low[] = {1, 2}, high[] = {8, 9};
static int *rows[] = {low, high};
int main(int argc, char **argv) {
  int *row = rows[argc & 1];
  return row[0];
}
//--- new
static int low[] = {1, 3}, high[] = {8, 9};
static int *rows[] = {low, high};
int main(int argc, char **argv) {
  int *row = rows[argc & 1];
  return row[0];
}
//--- expect
modified main old 4-4 new 4-4 because global low
