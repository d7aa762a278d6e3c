// Floating numbers in text: the same bits, not only the same values.
#define _GNU_SOURCE
#include <math.h>

#include "check.h"

extern double plx_model_strtod(const char *, char **);
extern float plx_model_strtof(const char *, char **);
extern long double plx_model_strtold(const char *, char **);
extern double plx_model_atof(const char *);
extern double plx_model___strtod_internal(const char *, char **, int);

#define COMPARE(name, type, size, text)                                                            \
    do {                                                                                           \
        char *real_end = NULL, *end = NULL;                                                        \
        errno = 7;                                                                                 \
        type expected = name(text, &real_end);                                                     \
        int expected_errno = errno;                                                                \
        errno = 7;                                                                                 \
        type actual = plx_model_##name(text, &end);                                                \
        CHECK(!memcmp(&actual, &expected, size) && errno == expected_errno && end == real_end,     \
              #name "(\"%s\"): %La not %La, errno %d not %d, end %td not %td", SHOWN(text),        \
              (long double)actual, (long double)expected, errno, expected_errno, end - text,       \
              real_end - text);                                                                    \
    } while (0)

static void check_text(const char *text) {
    COMPARE(strtod, double, 8, text);
    COMPARE(strtof, float, 4, text);
    COMPARE(strtold, long double, 10, text);
    double expected = atof(text), one = plx_model_atof(text);
    double other = plx_model___strtod_internal(text, NULL, 0);
    CHECK(!memcmp(&one, &expected, 8) && !memcmp(&other, &expected, 8), "atof(%s)", text);
}

// A number as programs write them.
static void check_number(void) {
    char text[80];
    static const char *const formats[] = {"%.*f", "%.*e", "%.*g", "%.*a"};
    double value = (double)(int64_t)below(UINT64_MAX) / (double)(1 + below(1u << below(32)));
    if (below(2)) {
        value = ldexp(value, (int)below(200) - 100);
    }
    snprintf(text, sizeof text, PICK(formats), (int)below(20), value);
    check_text(guarded_text(0, text));
}

void check(void) {
    static const char *const edges[] = {
        "", " ", "-", "+", ".", "-.", "0", "-0", "+0", "0.", ".0", "1.", ".1", "-.5", "1..2", "1e",
        "1e+", "1e-", "1e5", "1E5", "1e+5", "1e-5", "1e22", "1e23", "1e-22", "1e-23", "1e308",
        "1e309", "-1e309", "1e-320", "1e-400", "0e400", "0e-400", "9007199254740992",
        "9007199254740993", "90071992547409930", "16777216", "16777217", "16777219", "33554434.5",
        "0.1", "0.2", "0.3", "3.14159265358979", "3.141592653589793238462643383", "123456789",
        "1234567890123456789", "12345678901234567890", "9999999999999999999", "0x", "0x1", "0x1p3",
        "0x.8", "0xg", "0x1p", "-0x1.8p+1", "inf", "INF", "-inf", "infinity", "Infinity", "infinit",
        "infx", "in", "i", "nan", "-nan", "NaN", "nan(", "nan()", "nan(12)", "nan(abc", "na", "n",
        " \t1.5x", "1e99999999999", "1e-99999999999", "0.000000000000000000000000001",
        "00000000000000000000000000000001", "1 e5", "e5", ".e5", "-e", "1.5.5", "1e5.5", "++1",
        "1,5", "1'000", "0.30000001192092896", "8.589973e9", "1e10", "1e11", "3e38",
        "4e38", "\xff",
        // As doubles in the middle between two floats, which they are not.
        "8.000001430511474", "8.000000476837159"};
    for (size_t at = 0; at < sizeof edges / sizeof *edges; at++) {
        check_text(guarded_text(0, edges[at]));
    }
    static const char *const alphabets[] = {"0123456789.", "0123456789.e-", "0123456789eE+-. ",
                                            "09.", "infatyINF0-", "0123456789abcdefxpP.+-"};
    for (int round = 0; round < 20000; round++) {
        check_text(random_text(0, PICK(alphabets), below(2) ? 8 : 24));
        check_number();
    }
}
