/* As many rounds as are asked for, of some 25 instructions each. What both changes do is seen in each round
 * and at the end. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 0;
    unsigned sum = 1, mask = 0;
    for (long i = 0; i < rounds; i++) {
        sum = sum * 31 + (unsigned)i;
        mask |= (sum & 1) == 1;
        if (sum % 7 == 0) sum += 6;
    }
    printf("%u\n", sum);
    printf("%u\n", mask & 1);
    return 0;
}
