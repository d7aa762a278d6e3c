/* The number of steps of a famous sequence, from a number that is read. */
#include <stdio.h>

static int steps(unsigned n) {
    int count = 0;
    while (n > 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        count++;
    }
    return count;
}

int main(void) {
    unsigned n;
    if (scanf("%u", &n) != 1) return 1;
    printf("%d\n", steps(n));
    return 0;
}
