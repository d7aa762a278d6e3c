// Nor which file it is in.
//--- old
int twice(int x) { return 2 * x; }
int main(int argc, char **argv) { return twice(argc); }
//--- new
int twice(int x);
int main(int argc, char **argv) { return twice(argc); }
//--- new twice.c
int twice(int x) { return 2 * x; }
//--- expect
unchanged
