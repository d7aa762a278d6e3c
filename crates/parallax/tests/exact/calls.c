// Ways of calling that pass labels out of band: callbacks of the library, jumps to addresses,
// functions without prototypes, structures by pointer to function, arguments on the stack.
// stdin: 3142\xff\x07abcdefgh
// stdin: 99887766554433221100
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pair { double real; long whole; };
struct big { long items[6]; };

static int order(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}
static struct pair swap(struct pair pair, float by) {
    return (struct pair){ (double)pair.whole * by, (long)pair.real };
}
static struct big rotate(struct big big, int by) {
    struct big result;
    for (int i = 0; i < 6; i++) result.items[i] = big.items[(i + by) % 6];
    return result;
}
static int many(int a, long b, char c, short d, int e, int f, int g, unsigned char h, double i, long j) {
    return (int)(a + b + c + d + e + f + g * 2 + h * 3 + (int)i + j);
}
static int interpret(const unsigned char *code, int value) {
    static const void *const ways[] = { &&add, &&twice, &&negate, &&stop };
    goto *ways[*code & 3];
add:
    value += *code++;
    goto *ways[*code & 3];
twice:
    value *= 2;
    code++;
    goto *ways[*code & 3];
negate:
    value = -value;
    return interpret(code + 1, value);
stop:
    return value;
}
static int old_style(a, b) int a; short b; { return a - b; }

int main(void) {
    unsigned char in[24] = { 0 };
    (void)!read(0, in, sizeof in - 1);
    struct pair (*volatile turn)(struct pair, float) = swap;
    struct big (*volatile move)(struct big, int) = rotate;
    int (*volatile sum)(int, long, char, short, int, int, int, unsigned char, double, long) = many;
    struct pair pair = turn((struct pair){ in[0], in[1] }, in[2]);
    struct big big = { { in[0], in[1], in[2], in[3], 5, in[5] } };
    printf("%.1f %ld\n", pair.real, pair.whole);
    big = move(big, in[1] & 3);
    for (int i = 0; i < 6; i++) printf("%ld ", big.items[i]);
    printf("%d\n", sum(in[0], in[1], (char)in[2], 4, in[4], 6, in[6], in[7], in[8] * 0.5, in[9]));
    printf("%d %d\n", interpret(in, 7), old_style(in[0], in[3]));
    unsigned char sorted[6];
    memcpy(sorted, in, sizeof sorted);
    qsort(sorted, sizeof sorted, 1, order);
    for (int i = 0; i < 6; i++) printf("%d ", sorted[i]);
    unsigned char *found = bsearch(in, sorted, sizeof sorted, 1, order);
    printf("%d\n", found ? (int)(found - sorted) : -1);
    return 0;
}
