/* The same with shifts. */
#include <stdio.h>

static int steps(unsigned n) {
    int count = 0;
    for (; n > 1; count++) {
        if (n & 1)
            n += (n << 1) + 1;
        else
            n >>= 1;
    }
    return count;
}

int main(void) {
    unsigned n;
    if (scanf("%u", &n) != 1) return 1;
    printf("%d\n", steps(n));
    return 0;
}
