// The sum of an array that native code vectorises, while an argument is symbolic.
#include <stdio.h>
#include <stdlib.h>

static int numbers[4096];

static __attribute__((noinline)) unsigned sum(const int *from, size_t count) {
    unsigned total = 0;
    for (size_t i = 0; i < count; i++) total += from[i];
    return total;
}

int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 1;
    int other = argc > 2 ? argv[2][0] : 0;
    for (int i = 0; i < 4096; i++) numbers[i] = i * 7;
    unsigned total = 0;
    for (int pass = 0; pass < passes; pass++) {
        numbers[pass & 4095]++;
        total += sum(numbers, 4096);
    }
    printf("%u %d\n", total, other);
    return 0;
}
