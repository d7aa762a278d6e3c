// Insertion sort, while an argument is symbolic.
#include <stdio.h>
#include <stdlib.h>

static int numbers[256];

static __attribute__((noinline)) void sort(int *of, int count) {
    for (int i = 1; i < count; i++) {
        int moved = of[i], j = i;
        while (j > 0 && of[j - 1] > moved) {
            of[j] = of[j - 1];
            j--;
        }
        of[j] = moved;
    }
}

int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 1;
    int other = argc > 2 ? argv[2][0] : 0;
    unsigned total = 0, random = 1;
    for (int pass = 0; pass < passes; pass++) {
        for (int i = 0; i < 256; i++) numbers[i] = (random = random * 1103515245 + 12345) >> 16;
        sort(numbers, 256);
        total += numbers[17];
    }
    printf("%u %d\n", total, other);
    return 0;
}
