// Where a function is in the file does not matter.
//--- old
static int a(int x) { return x * 2; }
static int b(int x) { return a(x) + 1; }
int main(int argc, char **argv) { return b(argc); }
//--- new
static int a(int x);
static int b(int x) { return a(x) + 1; }
int main(int argc, char **argv) { return b(argc); }
static int a(int x) { return x * 2; }
//--- expect
unchanged
