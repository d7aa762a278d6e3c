#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

struct small { int a; short b; };
struct mixed { double real; float part; int tail; };
struct large { long count; int items[8]; char name[5]; double weight; };
struct wide { i128 value; char more; };
struct bits { unsigned a : 3; signed b : 5; unsigned c : 11; signed long d : 33; _Bool e : 1; unsigned char f : 7; };
union both { int word; short half[2]; unsigned char bytes[4]; float real; };

static unsigned char in[128], raw[128];
static unsigned char words[80];
static unsigned long at;
static int status, leapt, calls;
static jmp_buf point;
static struct small small, smalls[4];
static struct mixed mixed;
static struct large large, larges[4];
static struct wide wide;
static struct bits bits;
static union both both;
static int grid[4][8], choices[4], scanned;
static char buffer[64];

static unsigned long input(int count) {
    unsigned long value = 0;
    for (int i = 0; i < count; i++) value |= (unsigned long)in[at++ % sizeof in] << (8 * i);
    return value;
}
static u128 input_wide(void) {
    u128 value;
    if (at + sizeof value > sizeof in) at = 1;
    memcpy(&value, in + at, sizeof value);
    at += sizeof value;
    return value;
}
// Finite, from subnormal numbers to two.
static float input_f32(void) {
    unsigned pattern = (unsigned)input(4) & 0xbfffffff;
    float value;
    memcpy(&value, &pattern, sizeof value);
    return value;
}
static double input_f64(void) {
    union { unsigned long pattern; double value; } pun = { input(8) };
    if (at & 1) return (double)(int)pun.pattern / 256;
    pun.pattern &= ~(1ul << 62);
    return pun.value;
}
static void show_wide(u128 value) {
    printf(" %lx:%lx", (unsigned long)(value >> 64), (unsigned long)value);
}
static void show_f32(float value) {
    union { float value; unsigned pattern; } pun = { value };
    printf(" %x", value == value ? pun.pattern : 0);
}
static void show_f64(double value) {
    union { double value; unsigned long pattern; } pun = { value };
    printf(" %lx", value == value ? pun.pattern : 0);
}

static struct small turn_small(struct small s, struct large l) {
    s.a ^= l.items[s.b & 7];
    s.b = (short)(s.b + l.name[1]);
    return s;
}
static __attribute__((noinline)) struct large turn_large(struct large l, struct small s, struct mixed m) {
    l.items[s.a & 7] = s.b;
    l.name[s.b & 3] ^= (char)s.a;
    l.count += m.tail;
    l.weight = m.real;
    return l;
}
static struct mixed turn_mixed(struct mixed m) {
    m.part = (float)m.tail;
    m.real = m.real > 0 ? -m.real : m.part;
    m.tail = (m.tail >> 1) ^ 5;
    return m;
}
static struct bits turn_bits(struct bits b, int by) {
    b.a += by;
    b.b = (signed char)(b.b ^ by);
    b.c = b.a * 7u + b.c;
    b.d = ((long)by << 4) - b.d % 1000;
    b.e = by & 2;
    b.f ^= b.a;
    return b;
}

static struct large (*volatile p_turn_large)(struct large, struct small, struct mixed) = turn_large;
static struct small (*volatile p_turn_small)(struct small, struct large) = turn_small;

static unsigned long sum(const char *kinds, ...) {
    unsigned long total = 7;
    va_list list, copy;
    va_start(list, kinds);
    va_copy(copy, list);
    for (const char *kind = kinds; *kind; kind++) {
        total = total * 31;
        switch (*kind) {
        case 'i': total += (unsigned)va_arg(list, int); break;
        case 'l': total += (unsigned long)va_arg(list, long); break;
        case 'd': {
            double value = va_arg(list, double);
            total += value > 1 ? 3 : value < -1 ? 5 : value == value ? (unsigned long)(long)(value * 100) : 1;
            break;
        }
        case 'q': {
            i128 value = va_arg(list, i128);
            total += (unsigned long)value ^ (unsigned long)(value >> 64);
            break;
        }
        case 's': {
            struct small value = va_arg(list, struct small);
            total += (unsigned)value.a + (unsigned short)value.b;
            break;
        }
        case 't': {
            struct large value = va_arg(list, struct large);
            total += (unsigned long)value.count + (unsigned)value.items[5] + (unsigned char)value.name[1];
            break;
        }
        case 'm': {
            struct mixed value = va_arg(list, struct mixed);
            total += (unsigned)value.tail + (value.real > 0);
            break;
        }
        default: {
            struct wide value = va_arg(list, struct wide);
            total += (unsigned long)value.value + (unsigned char)value.more;
        }
        }
    }
    if (*kinds == 'i') total ^= (unsigned)va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return total;
}

static __attribute__((noinline)) void leap(int value) {
    leapt = value;
    if (value & 1) longjmp(point, 1 + (value & 6));
}

static void start(int argc, char **argv) {
    size_t length = 0;
    ssize_t got;
    while (length < sizeof in && (got = read(0, in + length, sizeof in - length)) > 0) length += got;
    memcpy(raw, in, sizeof raw);
    memcpy(words, in + 32, 70);
    for (int i = 1; i < argc; i++) {
        words[i * 16] ^= (unsigned char)argv[i][0];
        if (argv[i][0] && argv[i][1]) raw[i] = (unsigned char)argv[i][1];
    }
    small.a = (int)input(4), small.b = (short)input(2);
    mixed.real = input_f64(), mixed.tail = (int)input(4);
    large.count = (long)input(8), large.items[3] = (int)input(4), large.name[1] = (char)input(1);
    wide.value = (i128)input(8) * 3, wide.more = (char)input(1);
    smalls[2] = small;
    larges[1] = large;
    bits.c = (unsigned)input(2), bits.d = (long)input(3);
    both.word = (int)input(4);
    grid[1][2] = (int)input(2), grid[3][7] = 5, choices[0] = (int)input(1), choices[3] = 9;
}

static void finish(void) {
    printf("%u %d %u %ld %d %d\n", bits.a, bits.b, bits.c, (long)bits.d, bits.e, bits.f);
    for (int i = 0; i < 4; i++) printf(" %d %hd", smalls[i].a, smalls[i].b);
    for (int i = 0; i < 4; i++) printf(" %ld %d %d", larges[i].count, larges[i].items[5], larges[i].name[2]);
    for (int i = 0; i < 32; i++) printf(" %d", grid[i / 8][i % 8]);
    for (int i = 0; i < 4; i++) printf(" %d", choices[i]);
    puts(buffer);
    fwrite(raw, 1, 60, stdout);
    putchar(words[3]);
    printf("\n%s|%c|%5d\n", "end", words[5], both.word);
}
