/* The same with the innermost condition written otherwise. */
#include <stdio.h>

int main(void) {
    int a, b, c;
    if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;
    long total = 0;
    for (int i = 0; i < a; i++)
        for (int j = i; j < b; j++)
            for (int k = 0; k < c; k++) {
                total = total + (long)j * i - k;
                long rest = total - total / 7 * 7;
                if (rest == 3) total = total / (1 + j);
            }
    printf("%ld\n", total);
    return total < 0;
}
