// A function that calls itself, while an argument is symbolic.
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) unsigned ways(unsigned steps) {
    return steps < 2 ? 1 : ways(steps - 1) + ways(steps - 2);
}

int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 1;
    int other = argc > 2 ? argv[2][0] : 0;
    unsigned total = 0;
    for (int pass = 0; pass < passes; pass++) total += ways(14 + (pass & 1));
    printf("%u %d\n", total, other);
    return 0;
}
