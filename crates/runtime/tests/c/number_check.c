// Numbers in text, of all bases, signs and lengths.
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>

#include "check.h"

extern long plx_model_strtol(const char *, char **, int);
extern long long plx_model_strtoll(const char *, char **, int);
extern long long plx_model_strtoq(const char *, char **, int);
extern intmax_t plx_model_strtoimax(const char *, char **, int);
extern unsigned long plx_model_strtoul(const char *, char **, int);
extern unsigned long long plx_model_strtoull(const char *, char **, int);
extern unsigned long long plx_model_strtouq(const char *, char **, int);
extern uintmax_t plx_model_strtoumax(const char *, char **, int);
extern long plx_model___isoc23_strtol(const char *, char **, int);
extern unsigned long plx_model___isoc23_strtoul(const char *, char **, int);
extern long plx_model___strtol_internal(const char *, char **, int, int);
extern int plx_model_atoi(const char *);
extern long plx_model_atol(const char *);
extern long long plx_model_atoll(const char *);
extern int plx_model_abs(int);
extern long plx_model_labs(long);
extern long long plx_model_llabs(long long);
extern intmax_t plx_model_imaxabs(intmax_t);
extern div_t plx_model_div(int, int);
extern ldiv_t plx_model_ldiv(long, long);
extern lldiv_t plx_model_lldiv(long long, long long);
extern imaxdiv_t plx_model_imaxdiv(intmax_t, intmax_t);
extern int plx_model_rand_r(unsigned *);

#define COMPARE(name, text, base)                                                                  \
    do {                                                                                           \
        char *real_end = (char *)1, *end = (char *)1;                                              \
        errno = 7;                                                                                 \
        uint64_t expected = (uint64_t)name(text, &real_end, base);                                 \
        int expected_errno = errno;                                                                \
        errno = 7;                                                                                 \
        uint64_t actual = (uint64_t)plx_model_##name(text, &end, base);                            \
        CHECK(actual == expected && errno == expected_errno && end == real_end,                    \
              #name "(\"%s\", %d): %" PRIu64 " not %" PRIu64 ", errno %d not %d, end %td not %td", \
              SHOWN(text), base, actual, expected, errno, expected_errno, end - text,              \
              real_end - text);                                                                    \
        CHECK((uint64_t)plx_model_##name(text, NULL, base) == expected, "without end");            \
    } while (0)

// The header declares it pure, and errno would be read too early.
static int (*volatile real_atoi)(const char *) = atoi;

static void check_text(const char *text, int base) {
    COMPARE(strtol, text, base);
    COMPARE(strtoul, text, base);
    COMPARE(strtoll, text, base);
    COMPARE(strtoull, text, base);
    COMPARE(strtoq, text, base);
    COMPARE(strtouq, text, base);
    COMPARE(strtoimax, text, base);
    COMPARE(strtoumax, text, base);
    errno = 7;
    int expected = real_atoi(text), expected_errno = errno;
    errno = 7;
    CHECK(plx_model_atoi(text) == expected && errno == expected_errno, "atoi(%s): errno %d",
          text, errno);
    CHECK(plx_model_atol(text) == atol(text), "atol(%s)", text);
    CHECK(plx_model_atoll(text) == atoll(text), "atoll(%s)", text);
    CHECK(plx_model___strtol_internal(text, NULL, base, 0) == strtol(text, NULL, base), "%s", text);
}

// This glibc does not know "0b"; without it, both are the same.
static void check_binary(void) {
    char *end;
    const char *text = "  -0b101x";
    CHECK(plx_model___isoc23_strtol(text, &end, 0) == -5 && end == text + 8, "end %td", end - text);
    CHECK(plx_model___isoc23_strtol(text, &end, 2) == -5 && end == text + 8, "end %td", end - text);
    CHECK(plx_model___isoc23_strtol("0b2", &end, 0) == 0 && *end == 'b', "end %s", end);
    CHECK(plx_model___isoc23_strtol("0b1", &end, 16) == 0xb1, "base 16");
    CHECK(plx_model___isoc23_strtoul("0B11", &end, 2) == 3, "capital");
    CHECK(plx_model___isoc23_strtol("0x1f", &end, 0) == 31, "hexadecimal");
}

static void check_arithmetic(void) {
    const long edges[] = {0, 1, -1, INT_MAX, INT_MIN + 1, LONG_MAX, LONG_MIN + 1, 10, -7};
    for (int round = 0; round < 3000; round++) {
        long i = round % 2 ? edges[below(9)] : (long)(below(UINT64_MAX) << below(40));
        long by = round % 3 ? edges[below(9)] : (long)below(100000) - 50000;
        CHECK(plx_model_labs(i) == labs(i) && plx_model_llabs(i) == llabs(i), "%ld", i);
        CHECK(plx_model_imaxabs(i) == imaxabs(i), "%ld", i);
        CHECK(plx_model_abs((int)i) == abs((int)i), "%d", (int)i);
        if ((int)by != 0 && !((int)i == INT_MIN && (int)by == -1)) {
            div_t one = div((int)i, (int)by), other = plx_model_div((int)i, (int)by);
            CHECK(one.quot == other.quot && one.rem == other.rem, "%ld by %ld", i, by);
        }
        if (by != 0 && !(i == LONG_MIN && by == -1)) {
            ldiv_t one = ldiv(i, by), other = plx_model_ldiv(i, by);
            lldiv_t two = plx_model_lldiv(i, by);
            imaxdiv_t three = plx_model_imaxdiv(i, by);
            CHECK(one.quot == other.quot && one.rem == other.rem, "%ld by %ld", i, by);
            CHECK(one.quot == two.quot && one.rem == two.rem, "%ld by %ld", i, by);
            CHECK(one.quot == three.quot && one.rem == three.rem, "%ld by %ld", i, by);
        }
        unsigned one = (unsigned)below(UINT64_MAX), other = one;
        CHECK(rand_r(&one) == plx_model_rand_r(&other) && one == other, "rand_r");
    }
}

void check(void) {
    static const char *const edges[] = {
        "", " ", "-", "+", "0", "-0", "00", "0x", "0X", "0xg", "0x-1", "-0x", "+0x1F", "08", "0777",
        " \t\n\v\f\r12", "--1", "+-1", "- 1", "1 ", "12abc", "z", "Z", "zz", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "-18446744073709551615",
        "-18446744073709551616", "0000000000000000000000000000000000000012",
        "7fffffffffffffff", "8000000000000000", "ffffffffffffffff", "10000000000000000",
        "0x7fffffffffffffff", "0xffffffffffffffff", "0x10000000000000000", "2147483648",
        "-2147483649", "4294967296", "99999999999999999999999999x", "1y2p0ij32e8e7",
        "1y2p0ij32e8e8",
        "777777777777777777777", "1000000000000000000000", "1777777777777777777777",
        "2000000000000000000000", "0b101", "0B1", "\x80", "1\xff", "0x0x1", "0_1", "12e3", "0x.8"};
    for (size_t at = 0; at < sizeof edges / sizeof *edges; at++) {
        for (int base = -1; base <= 37; base++) {
            check_text(guarded_text(0, edges[at]), base);
        }
    }
    static const char *const alphabets[] = {"0123456789", "0123456789 -+", "01", "07",
                                            "0xX19aAfFgzZ",
                                            "0123456789abcdefghijklmnopqrstuvwxyzXYZ ", "9",
                                            " \t\n-+0x1"};
    for (int round = 0; round < 12000; round++) {
        static const int bases[] = {10, 10, 10, 0, 16, 8, 2, 36};
        int base = below(4) ? bases[below(8)] : (int)below(37);
        check_text(random_text(0, PICK(alphabets), below(3) ? 8 : 30), base);
    }
    check_binary();
    check_arithmetic();
}
