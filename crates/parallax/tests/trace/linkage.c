// Weak symbols, aliases, tentative definitions and undefined functions.
// TEST: args = ["w"]
int answer(int c) { return c == 'w' ? 1 : 2; }
int alias(int c) __attribute__((alias("answer")));
int __attribute__((weak)) weak(int c) { return c == 'w' ? 4 : 8; }
extern int missing(int c) __attribute__((weak));
static int (*chosen(void))(int) { return weak; }
static int (*resolve(void))(int) { return answer; }
int indirect(int c) __attribute__((ifunc("resolve")));
int tentative;
__thread int local = 16;
int main(int argc, char **argv) {
    int sum = alias(argv[1][0]) + chosen()(argv[1][0]) + tentative + local;
    if (missing) sum += missing(1);
    if (indirect(argv[1][0]) == 1) sum += 32;
    return sum;
}
// CHECK: exit status 53
// CHECK: (arg[1][0] == 'w' ? 1 : 2) + (arg[1][0] == 'w' ? 4 : 8) + 48
