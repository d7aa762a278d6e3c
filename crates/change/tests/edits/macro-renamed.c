// A macro under another name is the same code.
//--- old
#define LIMIT 10
int main(int argc, char **argv) { return argc > LIMIT; }
//--- new
#define MAXIMUM 10
int main(int argc, char **argv) { return argc > MAXIMUM; }
//--- expect
unchanged
