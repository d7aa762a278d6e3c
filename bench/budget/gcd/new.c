/* The same by subtraction of the smaller one's multiples. */
#include <stdio.h>

static unsigned gcd(unsigned a, unsigned b) {
    if (!b) return a;
    return gcd(b, a - a / b * b);
}

int main(void) {
    unsigned char raw[8] = {0};
    if (fread(raw, 1, sizeof raw, stdin) < sizeof raw) return 1;
    unsigned a = raw[0] | raw[1] << 8 | raw[2] << 16, b = raw[3] | raw[4] << 8 | raw[5] << 16;
    unsigned sum = 0;
    for (unsigned i = 0; i < raw[6]; i++)
        for (unsigned j = 0; j < raw[7]; j++) sum += (1 + j * i) * gcd(a + i, b + j);
    printf("%u\n", sum);
    return 0;
}
