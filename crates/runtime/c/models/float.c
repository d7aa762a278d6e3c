// Models of strtod, strtof, atof and strtold.
//
// Decision: a decimal number of few digits is exactly its digits as an integer, times or over a
// power of ten that a double holds exactly; one multiplication or division then rounds as strtod
// does. So such a number is one expression over its digits. What lies outside (too many digits, too
// great a power, hexadecimal, a payload of a NaN) is read by the real function: the shape of the
// text is part of the path, the value is concrete and the approximation counted.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctype_classes.h"
#include "model.h"

typedef unsigned char byte;

// Digits that fit 64 bits for sure; of these, so many are less than 2^53 for sure.
#define MOST_DIGITS 19
#define SURE_DIGITS 15
#define MOST_EXACT (UINT64_C(1) << 53)
#define MOST_POWER 22

static const double powers[MOST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum shape { NOTHING, DECIMAL, INFINITE, NAN_PLAIN, OTHER };

// A number while it is read.
struct real {
    const char *at;
    enum shape shape;
    int negative;
    int digits;      // that are in `mantissa`
    int too_long;    // whether there are more
    uint64_t mantissa;
    long fraction;   // digits behind the point
    long exponent;   // what 'e' says
};

// Spaces and a sign. Digits and points, which numbers start with, are recognised first.
static void read_start(struct real *real) {
    for (;; real->at++) {
        int c = (byte)*real->at;
        if (plx_is_digit(c)) {
            return;
        }
        if (!plx_is_space(c)) {
            break;
        }
    }
    if (*real->at == '-') {
        real->negative = 1;
        real->at++;
    } else if (*real->at == '+') {
        real->at++;
    }
}

// Digits, of which leading zeros that are concrete take no room in the mantissa.
static int read_digits(struct real *real, int behind_point) {
    int any = 0;
    for (;; real->at++) {
        int c = (byte)*real->at;
        if (!plx_is_digit(c)) {
            return any;
        }
        any = 1;
        if (real->digits == MOST_DIGITS) {
            real->too_long = 1;
            continue;
        }
        real->mantissa = real->mantissa * 10 + (uint64_t)(c - '0');
        real->fraction += behind_point;
        if (!PLX_IS_CONCRETE(real->mantissa) || real->mantissa != 0) {
            real->digits++;
        }
    }
}

// An exponent, if a digit follows; one that is absurd stays so.
static void read_exponent(struct real *real) {
    if (((byte)*real->at | 32) != 'e') {
        return;
    }
    const char *at = real->at + 1;
    long sign = 1;
    if (!plx_is_digit((byte)*at)) {
        if (*at == '-') {
            sign = -1;
            at++;
        } else if (*at == '+') {
            at++;
        }
        if (!plx_is_digit((byte)*at)) {
            return;
        }
    }
    long exponent = 0;
    for (int count = 0; plx_is_digit((byte)*at); at++) {
        if (count < 6) {
            exponent = exponent * 10 + (*at - '0');
            count++;
        } else {
            real->too_long = 1;
        }
    }
    real->exponent = sign * exponent;
    real->at = at;
}

// Whether a word, given in small letters, is there, in any case.
static int read_word(struct real *real, const char *word) {
    size_t at = 0;
    for (; word[at]; at++) {
        if (plx_to_lower((byte)real->at[at]) != word[at]) {
            return 0;
        }
    }
    real->at += at;
    return 1;
}

static void read_shape(struct real *real) {
    read_start(real);
    if (*real->at == '0' && ((byte)real->at[1] | 32) == 'x') {
        real->shape = OTHER;
        return;
    }
    int any = read_digits(real, 0);
    if (*real->at == '.' && (any || plx_is_digit((byte)real->at[1]))) {
        real->at++;
        any |= read_digits(real, 1);
    }
    if (any) {
        real->shape = DECIMAL;
        read_exponent(real);
    } else if (read_word(real, "inf")) {
        real->shape = INFINITE;
        read_word(real, "inity");
    } else if (read_word(real, "nan")) {
        real->shape = *real->at == '(' ? OTHER : NAN_PLAIN;
    }
}

// The value as an expression, if it is one multiplication or division away.
static int is_exact(const struct real *real, double *value) {
    if (real->shape != DECIMAL || real->too_long) {
        return 0;
    }
    if (real->digits > SURE_DIGITS && real->mantissa > MOST_EXACT) {
        return 0;
    }
    long scale = real->exponent - real->fraction;
    double digits = (double)real->mantissa;
    if (scale < 0) {
        if (scale < -MOST_POWER) {
            return 0;
        }
        *value = digits / powers[-scale];
    } else {
        if (scale > MOST_POWER) {
            return 0;
        }
        *value = digits * powers[scale];
    }
    if (real->negative) {
        *value = -*value;
    }
    return 1;
}

// A float is rounded from the double. That is wrong where the double itself was rounded, and to the
// very middle between two floats: one number in 2^29, so a search only looks whether this one is, and
// a proof makes it a condition. No such value is too great for a float, nor too small.
static int is_exact_float(const struct real *real, float *value) {
    double exact;
    if (!is_exact(real, &exact)) {
        return 0;
    }
    // A union, since memcpy is the library's here and takes no labels along.
    uint64_t bits = (union { double real; uint64_t bits; }){exact}.bits;
    uint64_t scale = (uint64_t)(real->exponent - real->fraction);
    if (!plx_in_proof()) {
        bits = plx_with_label(bits, 0);
        scale = plx_with_label(scale, 0);
    }
    if (scale != 0 && (bits & 0x1fffffff) == 0x10000000) {
        return 0;
    }
    *value = (float)exact;
    return 1;
}

// There are no expressions of this type.
static int is_exact_long(const struct real *real, long double *value) {
    (void)real;
    *value = 0;
    return 0;
}

// Counts a value that is concrete though the text is not.
static void count_concrete(const struct real *real, const char *text, const char *end) {
    if ((real->shape == DECIMAL || real->shape == OTHER) &&
        !plx_is_clean(text, (size_t)(end - text))) {
        plx_count(PLX_COUNTER_CONVERSION, NULL);
    }
}

// Whether all that the real function looked at is concrete. Where it stopped, it may have looked
// further for an exponent, the rest of a word, or digits.
static int was_clean(const char *text, const char *stop) {
    return stop != text && !memchr("eEiIxXpP(.", *stop, 10) &&
           plx_is_clean(text, (size_t)(stop - text) + 1);
}

static void set_end(char **end, const char *stop) {
    if (end) {
        *end = (char *)stop;
    }
}

static const char *end_of(const struct real *real, const char *text, const char *stop) {
    switch (real->shape) {
    case NOTHING:
        return text;
    case OTHER:
        return stop;
    default:
        return real->at;
    }
}

#define FAMILY(name, type, is_exact)                                                               \
    type plx_model_##name(const char *text, char **end) {                                          \
        int before = errno;                                                                        \
        char *stop;                                                                                \
        type value = name(text, &stop), exact;                                                     \
        if (PLX_IS_CONCRETE(text) && was_clean(text, stop)) {                                      \
            set_end(end, stop);                                                                    \
            return value;                                                                          \
        }                                                                                          \
        struct real real = {.at = text};                                                           \
        read_shape(&real);                                                                         \
        set_end(end, end_of(&real, text, stop));                                                   \
        if (is_exact(&real, &exact)) {                                                             \
            errno = before;                                                                        \
            return exact;                                                                          \
        }                                                                                          \
        count_concrete(&real, text, stop);                                                         \
        return value;                                                                              \
    }                                                                                              \
    /* What old headers call; `group` is never set. */                                             \
    type plx_model___##name##_internal(const char *text, char **end, int group) {                  \
        (void)group;                                                                               \
        return plx_model_##name(text, end);                                                        \
    }

FAMILY(strtod, double, is_exact)
FAMILY(strtof, float, is_exact_float)
FAMILY(strtold, long double, is_exact_long)

double plx_model_atof(const char *text) { return plx_model_strtod(text, NULL); }
