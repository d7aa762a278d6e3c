// Integers of 128 bits: a choice between two constants lost its upper half, a switch looked at the
// lower half only, and so did values that were concretised.
// stdin: 0123456789abcdef0123456789abcdef
// stdin: \x00\x00\x00\x00\x00\x00\x00\x00\x07
// stdin: \xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef unsigned __int128 wide;

static void show(wide value) {
    printf("%lx:%lx\n", (unsigned long)(value >> 64), (unsigned long)value);
}

static int kind(wide value) {
    switch (value) {
    case 0: return 1;
    case (wide)7 << 64: return 2;
    case 7: return 3;
    default: return 4;
    }
}

int main(void) {
    unsigned char in[32] = { 0 };
    wide a, b;
    (void)!read(0, in, sizeof in);
    memcpy(&a, in, 16);
    memcpy(&b, in + 16, 16);
    show(in[0] > 'a' ? ~(wide)0 << 90 : (wide)5 << 100);
    show(a * 3 + b);
    show(a / (b | 1));
    show((wide)((__int128)a % ((__int128)(b >> 3) + 2)));
    show((wide)((__int128)a >> (in[1] & 127)));
    show(a << (in[2] & 127));
    show(a & ((wide)0xff00 << 60));
    printf("%d %d\n", kind(a), kind(b));
    printf("%d%d%d\n", a < b, (__int128)a < (__int128)b, a == (wide)7 << 64);
    printf("%.3f\n", (double)(a >> 80));
    return kind(a);
}
