// Values of a width that is no multiple of eight in memory: a label stands for what is left of its
// node, so what was cut off by a conversion must be cut off before it is stored.
// stdin: \xff\xfe\x83abcdef
// stdin: \x01\x02\x03
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Bool flags[4];
static unsigned _BitInt(5) small[4];
static _BitInt(37) medium[4];
static struct { unsigned a : 3; int b : 7; unsigned long c : 41; } bits;

int main(void) {
    unsigned char in[8] = { 0 };
    (void)!read(0, in, sizeof in);
    for (int i = 0; i < 4; i++) {
        flags[i] = in[i] & 2;
        small[i] = (unsigned _BitInt(5))in[i];
        medium[i] = (_BitInt(37))((long)in[i] << 33 | in[i + 1]);
    }
    bits.a = in[0];
    bits.b = in[1];
    bits.c = (unsigned long)in[2] << 36 | in[3];
    for (int i = 0; i < 4; i++) printf("%d %d %ld\n", flags[i], (int)small[i], (long)medium[i]);
    flags[in[4] & 3] = in[5] > 7;
    small[in[4] & 3] += 9;
    for (int i = 0; i < 4; i++) printf("%d %d\n", flags[i], (int)small[i]);
    printf("%u %d %lu\n", bits.a, bits.b, (unsigned long)bits.c);
    return 0;
}
