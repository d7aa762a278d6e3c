// Types that few programs use: labels follow them, or are counted as lost.
// TEST: args = ["abcd"]
#include <complex.h>
#include <stdarg.h>
#include <string.h>
struct big { long a[5]; char c; };
struct mix { double d; int i; };
struct packed { char c; int i; short s; } __attribute__((packed));
static struct big make(char c) { struct big b = {{c, c + 1}, c}; return b; }
static struct mix mixed(char c) { struct mix m = {c * 1.5, c}; return m; }
static int variadic(int n, ...) {
    va_list list;
    va_start(list, n);
    struct big b = va_arg(list, struct big);
    struct mix m = va_arg(list, struct mix);
    long double extended = va_arg(list, long double);
    __int128 wide = va_arg(list, __int128);
    int last = va_arg(list, int);
    va_end(list);
    return (b.c == 'a') + (m.i == 'b') * 2 + (extended == 1.5L) * 4 + ((int)(wide >> 64) == 'c') * 8 + (last == 'd') * 16;
}
int main(int argc, char **argv) {
    char *text = argv[1];
    struct big (*volatile maker)(char) = make;
    struct big b = maker(text[0]);
    struct mix m = mixed(text[1]);
    if (b.a[1] != 'b') return 99; // CHECK: @ arg[1][0] == 'a'
    if (m.d != 'b' * 1.5) return 98; // CHECK: @ f64_of_i32((i32)arg[1][1]) *f 1.5 ==f 147.0
    struct packed p = {text[0], text[1] * 1000, text[2]}, row[3];
    row[1] = p;
    if (row[1].i != 98000 || row[1].s != 'c') return 97; // CHECK: @ arg[1][1] == 'b'
    double complex z = text[0] + text[1] * I;
    if (creal(z * z) > 0) return 96;
    _BitInt(200) huge = text[0];
    huge <<= 150;
    if ((int)(huge >> 150) != 'a') return 95;
    struct { unsigned long long low : 33, high : 31; } bits = {.low = text[2], .high = text[3]};
    if (bits.low != 'c' || bits.high != 'd') return 94;
    _Bool flag = text[0];
    if (!flag) return 93; // CHECK: @ arg[1][0] != 0
    __asm__ goto("" : : "r"(text[0]) : : out);
out:
    return variadic(0, b, m, 1.5L, (__int128)text[2] << 64, text[3]);
}
// CHECK: exit status
// CHECK: arg[1][3] == 'd', arg[1][2] == 'c', false, arg[1][1] == 'b', arg[1][0] == 'a'
// CHECK: symbolic values in vectors types.c:34
