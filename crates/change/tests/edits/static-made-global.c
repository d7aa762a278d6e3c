// Who can see a function does not change what it does.
//--- old
static int twice(int x) { return 2 * x; }
static int state = 3;
int main(int argc, char **argv) { return twice(argc) + state++; }
//--- new
int twice(int x) { return 2 * x; }
int state = 3;
int main(int argc, char **argv) { return twice(argc) + state++; }
//--- expect
unchanged
