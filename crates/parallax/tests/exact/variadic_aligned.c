// A structure of 128-bit integers among variadic arguments lies at a multiple of 16 on the stack;
// its labels were looked for 8 bytes too low.
// stdin: abcdefghijklmnopqrstuvwxyz
// stdin: \xff\x00\x80
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct wide { __int128 value; char more; };
struct plain { long a, b, c; };

static unsigned long sum(const char *kinds, ...) {
    unsigned long total = 0;
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        total *= 31;
        if (*kinds == 'l') total += va_arg(list, unsigned long);
        if (*kinds == 'p') total += (unsigned long)va_arg(list, struct plain).b;
        if (*kinds == 'w') {
            struct wide wide = va_arg(list, struct wide);
            total += (unsigned long)(wide.value >> 64) ^ (unsigned char)wide.more;
        }
    }
    va_end(list);
    return total;
}

int main(void) {
    unsigned char in[32] = { 0 };
    struct wide wide;
    struct plain plain;
    (void)!read(0, in, sizeof in);
    wide.value = (__int128)in[0] << 70 | in[1];
    wide.more = (char)in[2];
    plain = (struct plain){ in[3], in[4], in[5] };
    printf("%lx\n", sum("wl", wide, (long)in[6]));
    printf("%lx\n", sum("plwpw", plain, (long)in[7], wide, plain, wide));
    printf("%lx\n", sum("lllllllwlw", 1l, 2l, 3l, 4l, 5l, (long)in[8], 7l, wide, (long)in[9], wide));
    return 0;
}
