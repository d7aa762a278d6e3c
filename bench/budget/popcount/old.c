/* The bits of eight bytes, one by one, and a checksum of products. */
#include <stdint.h>
#include <stdio.h>

static int bits(uint64_t x) {
    int count = 0;
    while (x) {
        count += x & 1;
        x >>= 1;
    }
    return count;
}

int main(void) {
    uint64_t x = 0, product = 1;
    for (int i = 0; i < 8; i++) {
        int c = getchar();
        if (c < 0) return 1;
        x = x << 8 | (unsigned)c;
        product *= x | 1;
    }
    int n = bits(x) + bits(product);
    printf("%d\n", n);
    return n > 70;
}
