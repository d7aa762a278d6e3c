// Static functions of one name are told apart by their files, whatever order they are linked in.
//--- old
static int help(int x) { return x + 1; }
int other(int);
int main(int argc, char **argv) { return help(argc) + other(argc); }
//--- old other.c
static int help(int x) { return x * 9; }
int other(int x) { return help(x); }
//--- new other.c
static int help(int x) { return x * 9; }
int other(int x) { return help(x); }
//--- new
static int help(int x) { return x + 1; }
int other(int);
int main(int argc, char **argv) { return help(argc) + other(argc); }
//--- expect
unchanged
