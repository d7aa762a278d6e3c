/* Nested loops whose bounds and products are symbolic. */
#include <stdio.h>

int main(void) {
    int a, b, c;
    if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;
    long total = 0;
    for (int i = 0; i < a; i++)
        for (int j = i; j < b; j++)
            for (int k = 0; k < c; k++) {
                total += (long)i * j - k;
                if (total % 7 == 3) total /= j + 1;
            }
    printf("%ld\n", total);
    return total < 0;
}
