// Models of the integers of <stdlib.h>: strtol and its family, abs, div, rand_r.
//
// Decision: a number in text is one expression over its digits, value * base + digit for as many
// digits as the run has. A character is asked once whether it goes on (a digit is recognised before
// spaces and signs are thought of), and whether the value fits is asked only of numbers so long
// that they might not.
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ctype_classes.h"
#include "model.h"

typedef unsigned char byte;

// Whether `c` is a digit of the base.
static int is_digit_of(int c, int base) {
    if (base <= 10) {
        return plx_between(c, '0', base);
    }
    return plx_is_digit(c) | plx_between(c | 32, 'a', base - 10);
}

// What a digit is worth: '0' is 0x30, 'A' 0x41 and 'a' 0x61, so their low five bits count from 16
// and from 1.
static uint64_t digit_value(int c, int base) {
    if (base <= 10) {
        return (uint64_t)(c - '0');
    }
    return (uint64_t)((c & 31) - 16 + 25 * (c >> 6));
}

// How many digits of a base are less than 2^63 for sure.
static const unsigned char safe_digits[37] = {
    0, 0, 62, 39, 31, 27, 24, 22, 20, 19, 18, 18, 17, 17, 16, 16, 15, 15, 15, 14, 14, 14, 14,
    13, 13, 13, 13, 13, 13, 12, 12, 12, 12, 12, 12, 12, 12};

// A number while it is read.
struct number {
    const char *at;
    const char *signed_at; // behind the spaces
    int base;
    int negative;
    int any;      // whether there were digits
    int overflow; // whether it is beyond `limit`
    uint64_t value;
};

// Spaces and a sign.
static void read_start(struct number *number) {
    for (;; number->at++) {
        int c = (byte)*number->at;
        number->signed_at = number->at;
        if (plx_is_digit(c)) {
            return;
        }
        if (!plx_is_space(c)) {
            break;
        }
    }
    if (*number->at == '-') {
        number->negative = 1;
        number->at++;
    } else if (*number->at == '+') {
        number->at++;
    }
}

// The prefix of a base: "0x", "0b" or "0". A prefix without a digit behind it is only its zero.
static void read_prefix(struct number *number, int binary) {
    int base = number->base;
    if (base != 0 && base != 16 && !(binary && base == 2)) {
        return;
    }
    if (*number->at != '0') {
        number->base = base ? base : 10;
        return;
    }
    int letter = (byte)number->at[1] | 32;
    int prefixed = 0;
    if (base != 2 && letter == 'x') {
        prefixed = 16;
    } else if (binary && base != 16 && letter == 'b') {
        prefixed = 2;
    }
    if (prefixed && is_digit_of((byte)number->at[2], prefixed)) {
        number->at += 2;
        number->base = prefixed;
    } else if (base == 0) {
        number->base = 8;
    }
}

static void read_digits(struct number *number, uint64_t limit) {
    uint64_t base = (uint64_t)number->base;
    int safe = safe_digits[number->base];
    for (int count = 0;; number->at++) {
        int c = (byte)*number->at;
        if (!is_digit_of(c, number->base)) {
            return;
        }
        number->any = 1;
        uint64_t digit = digit_value(c, number->base);
        if (number->overflow) {
            continue;
        }
        if (count < safe) {
            count++;
        } else if ((number->value > limit / base) |
                   ((number->value == limit / base) & (digit > limit % base))) {
            number->overflow = 1;
            continue;
        }
        number->value = number->value * base + digit;
    }
}

// The greatest value: of a signed number, the least one is a step further.
static uint64_t limit_of(int is_signed, int negative) {
    return is_signed ? (uint64_t)INT64_MAX + (uint64_t)negative : UINT64_MAX;
}

static uint64_t read_number(const char *text, char **end, int base, int is_signed, int binary) {
    base = PLX_PINNED(base, PLX_PIN_ARGUMENT);
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    struct number number = {.at = text, .base = base};
    read_start(&number);
    const char *start = number.signed_at;
    read_prefix(&number, binary);
    uint64_t limit = limit_of(is_signed, number.negative);
    read_digits(&number, limit);
    if (end) {
        *end = (char *)(number.any ? number.at : text);
    }
    uint64_t value = number.negative ? -number.value : number.value;
    if (number.overflow) {
        errno = ERANGE;
        value = limit;
    }
    // What is no number has its place where one could be.
    size_t length = number.any ? (size_t)(number.at - start) : 0;
    plx_label label = plx_number(start, length, base ? base : 10, is_signed, value, plx_label_of(value));
    return plx_with_label(value, label);
}

// Whether what strtol looked at, up to and with the byte that ended it, is concrete. It looks
// further where it finds no number and behind "0x".
static int was_clean(const char *text, const char *end) {
    return end != text && plx_is_clean(text, (size_t)(end - text) + 1) && (*end | 32) != 'x';
}

#define FAMILY(name, type, is_signed)                                                              \
    type plx_model_##name(const char *text, char **end, int base) {                                \
        if (PLX_IS_CONCRETE(text) && PLX_IS_CONCRETE(base) && base >= 0 && base != 1 &&            \
            base <= 36) {                                                                          \
            int before = errno;                                                                    \
            char *stop;                                                                            \
            type value = name(text, &stop, base);                                                  \
            if (was_clean(text, stop)) {                                                           \
                if (end) {                                                                         \
                    *end = stop;                                                                   \
                }                                                                                  \
                return value;                                                                      \
            }                                                                                      \
            errno = before;                                                                        \
        }                                                                                          \
        return (type)read_number(text, end, base, is_signed, 0);                                   \
    }                                                                                              \
    /* What it is called since C23: it knows "0b". */                                              \
    type plx_model___isoc23_##name(const char *text, char **end, int base) {                       \
        return (type)read_number(text, end, base, is_signed, 1);                                   \
    }                                                                                              \
    /* What old headers call; `group` is never set. */                                             \
    type plx_model___##name##_internal(const char *text, char **end, int base, int group) {        \
        (void)group;                                                                               \
        return plx_model_##name(text, end, base);                                                  \
    }

FAMILY(strtol, long, 1)
FAMILY(strtoul, unsigned long, 0)

// All the other names have the same types on 64-bit machines, except for how C spells them.
#define SPELLED(other, name, type)                                                                 \
    type plx_model_##other(const char *text, char **end, int base) {                               \
        return (type)plx_model_##name(text, end, base);                                            \
    }

SPELLED(strtoll, strtol, long long)
SPELLED(strtoq, strtol, long long)
SPELLED(strtoimax, strtol, intmax_t)
SPELLED(strtoull, strtoul, unsigned long long)
SPELLED(strtouq, strtoul, unsigned long long)
SPELLED(strtoumax, strtoul, uintmax_t)
SPELLED(__isoc23_strtoll, __isoc23_strtol, long long)
SPELLED(__isoc23_strtoimax, __isoc23_strtol, intmax_t)
SPELLED(__isoc23_strtoull, __isoc23_strtoul, unsigned long long)
SPELLED(__isoc23_strtoumax, __isoc23_strtoul, uintmax_t)

long long plx_model___strtoll_internal(const char *text, char **end, int base, int group) {
    return plx_model___strtol_internal(text, end, base, group);
}

unsigned long long plx_model___strtoull_internal(const char *text, char **end, int base,
                                                 int group) {
    return plx_model___strtoul_internal(text, end, base, group);
}

long plx_model_atol(const char *text) { return plx_model_strtol(text, NULL, 10); }

long long plx_model_atoll(const char *text) { return plx_model_strtol(text, NULL, 10); }

int plx_model_atoi(const char *text) { return (int)plx_model_strtol(text, NULL, 10); }

// Arithmetic.

int plx_model_abs(int i) {
    unsigned sign = (unsigned)(i >> 31);
    return (int)(((unsigned)i ^ sign) - sign);
}

long plx_model_labs(long i) {
    unsigned long sign = (unsigned long)(i >> 63);
    return (long)(((unsigned long)i ^ sign) - sign);
}

long long plx_model_llabs(long long i) { return plx_model_labs((long)i); }

intmax_t plx_model_imaxabs(intmax_t i) { return plx_model_labs((long)i); }

// Where the machine traps, the real function does.
#define DIVIDE(name, type, result, least)                                                          \
    result plx_model_##name(type i, type by) {                                                     \
        if (by == 0 || (by == -1 && i == (least))) return name(i, by);                             \
        return (result){i / by, i % by};                                                           \
    }

DIVIDE(div, int, div_t, INT_MIN)
DIVIDE(ldiv, long, ldiv_t, LONG_MIN)
DIVIDE(lldiv, long long, lldiv_t, LLONG_MIN)
DIVIDE(imaxdiv, intmax_t, imaxdiv_t, INTMAX_MIN)

// Three steps of a linear congruential generator, of which the middle bits are taken.
int plx_model_rand_r(unsigned *seed) {
    unsigned state = *seed, result = 0;
    for (int step = 0; step < 3; step++) {
        state = state * 1103515245 + 12345;
        result = result << 10 ^ (state >> 16) % (step == 0 ? 2048 : 1024);
    }
    *seed = state;
    return (int)result;
}
