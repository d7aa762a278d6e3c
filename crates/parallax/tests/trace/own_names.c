// A program's own functions are its own, whatever they are called.
// TEST: args = ["-x", "ab"]
#include <stdio.h>
typedef unsigned long size;
size strlen(const char *text) { return text[0] == 'a' ? 77 : 78; }
static long read(int a, int b) { return a + b; }
int getopt(int argc, char **argv, const char *options) { return argv[1][1] == 'x' ? 'X' : -1; }
static char pool[1 << 16];
static size used;
void *malloc(size wanted) { void *at = pool + used; used += (wanted + 15) & ~15ul; return at; }
void free(void *memory) { (void)memory; }
int main(int argc, char **argv) {
    char *text = malloc(8);
    text[0] = argv[2][0];
    if (strlen(text) != 77) return 1; // CHECK: @ arg[2][0] == 'a'
    if (getopt(argc, argv, "x") != 'X') return 2; // CHECK: @ arg[1][1] == 'x'
    free(text);
    return (int)read(1, 2);
}
// CHECK-NOT: not modelled
