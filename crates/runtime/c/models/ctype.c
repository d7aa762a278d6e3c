// Models of <ctype.h>.
//
// Decision: the answer to a symbolic character is an expression with the very values that glibc
// returns in the C locale (isalpha answers 1024, not 1): programs print and add them. The tables
// behind glibc's macros become tables of ours, so that a symbolic index into them stays inside an
// object whose bounds are known.
#define __NO_CTYPE
#include "ctype_classes.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "model.h"

// Without a sign to extend, the question adds no expression.
#define IS_CONCRETE(c) PLX_IS_CONCRETE((unsigned)(c))

static int is_graph(int c) { return plx_between(c, '!', 94); }
static int is_alnum(int c) { return plx_is_digit(c) | plx_is_alpha(c); }

#define CLASS(name, bit, expression)                                                               \
    int plx_model_##name(int c) {                                                                  \
        if (IS_CONCRETE(c)) {                                                                      \
            return name(c);                                                                        \
        }                                                                                          \
        return (expression) ? (bit) : 0;                                                           \
    }                                                                                              \
    int plx_model_##name##_l(int c, locale_t locale) {                                             \
        if (IS_CONCRETE(c)) {                                                                      \
            return name##_l(c, locale);                                                            \
        }                                                                                          \
        return (expression) ? (bit) : 0;                                                           \
    }

CLASS(isalnum, _ISalnum, is_alnum(c))
CLASS(isalpha, _ISalpha, plx_is_alpha(c))
CLASS(isblank, _ISblank, (c == ' ') | (c == '\t'))
CLASS(iscntrl, _IScntrl, plx_between(c, 0, 32) | (c == 127))
CLASS(isdigit, _ISdigit, plx_is_digit(c))
CLASS(isgraph, _ISgraph, is_graph(c))
CLASS(islower, _ISlower, plx_is_lower(c))
CLASS(isprint, _ISprint, plx_between(c, ' ', 95))
CLASS(ispunct, _ISpunct, is_graph(c) & (is_alnum(c) ^ 1))
CLASS(isspace, _ISspace, plx_is_space(c))
CLASS(isupper, _ISupper, plx_is_upper(c))
CLASS(isxdigit, _ISxdigit, plx_is_digit(c) | plx_between(c | 32, 'a', 6))

int plx_model_isascii(int c) { return (c & ~0x7f) == 0; }

int plx_model_toascii(int c) { return c & 0x7f; }

// glibc's tables answer a negative `char` (but not EOF) by the same character as `unsigned char`.
static int without_sign(int c) { return c + (plx_between(c, -128, 127) << 8); }

static int lower(int c) { return without_sign(c) + (plx_is_upper(c) << 5); }

static int upper(int c) { return without_sign(c) - (plx_is_lower(c) << 5); }

#define CASE(name, expression)                                                                     \
    int plx_model_##name(int c) { return IS_CONCRETE(c) ? name(c) : (expression); }                \
    int plx_model_##name##_l(int c, locale_t locale) {                                             \
        return IS_CONCRETE(c) ? name##_l(c, locale) : (expression);                                \
    }

CASE(tolower, lower(c))
CASE(toupper, upper(c))

// The macros' own functions: case changed without a look at the range.
int plx_model__tolower(int c) { return IS_CONCRETE(c) ? tolower(c) : lower(c); }

int plx_model__toupper(int c) { return IS_CONCRETE(c) ? toupper(c) : upper(c); }

// A table of glibc's, which is indexed from -128 to 255. It is read again when the locale changes.
#define TABLE(name, type)                                                                          \
    const type **plx_model_##name(void) {                                                          \
        static type table[384];                                                                    \
        static const type *middle = table + 128;                                                   \
        static const type *copied;                                                                 \
        const type *real = *name();                                                                \
        if (copied != real) {                                                                      \
            memcpy(table, real - 128, sizeof table);                                               \
            copied = real;                                                                         \
        }                                                                                          \
        return &middle;                                                                            \
    }

TABLE(__ctype_b_loc, unsigned short)
TABLE(__ctype_tolower_loc, int32_t)
TABLE(__ctype_toupper_loc, int32_t)
