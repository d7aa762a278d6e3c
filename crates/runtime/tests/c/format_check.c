// Formatted printing: random conversions with arguments to match.
#define _GNU_SOURCE
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "models/format.h"

#define MODEL(name) extern __typeof__(name) plx_model_##name
MODEL(snprintf); MODEL(sprintf); MODEL(vsnprintf); MODEL(vsprintf); MODEL(asprintf);
MODEL(vasprintf);
extern int plx_model___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
extern int plx_model___sprintf_chk(char *, int, size_t, const char *, ...);
extern int plx_model___vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
extern int plx_model___vsprintf_chk(char *, int, size_t, const char *, va_list);
extern int plx_model___asprintf_chk(char **, int, const char *, ...);
extern int plx_model___vasprintf_chk(char **, int, const char *, va_list);

#define ROOM 2000
static char expected[ROOM], actual[ROOM];

static void fill(void) {
    memset(expected, 0x55, ROOM);
    memset(actual, 0x55, ROOM);
}

static void same(const char *format, const char *function, int length, int real_length) {
    CHECK(length == real_length && !memcmp(actual, expected, ROOM),
          "%s(\"%s\"): %d not %d\n'%s' not\n'%s'", function, SHOWN(format), length, real_length,
          shown(actual, length > 0 ? (size_t)length : 0),
          shown(expected, real_length > 0 ? (size_t)real_length : 0));
}

static void check_lists(const char *format, size_t room, va_list arguments) {
    va_list list;
#define WITH(call) (va_copy(list, arguments), call)
    fill();
    int real_length = WITH(vsnprintf(expected, room, format, list));
    int length = WITH(plx_model_vsnprintf(actual, room, format, list));
    same(format, "vsnprintf", length, real_length);
    fill();
    real_length = WITH(vsnprintf(expected, room, format, list));
    length = WITH(plx_model___vsnprintf_chk(actual, room, 0, room, format, list));
    same(format, "__vsnprintf_chk", length, real_length);
    fill();
    real_length = WITH(vsprintf(expected, format, list));
    length = WITH(plx_model_vsprintf(actual, format, list));
    same(format, "vsprintf", length, real_length);
    fill();
    real_length = WITH(vsprintf(expected, format, list));
    length = WITH(plx_model___vsprintf_chk(actual, 0, (size_t)real_length + 1, format, list));
    same(format, "__vsprintf_chk", length, real_length);
    char *text = NULL;
    length = WITH(plx_model_vasprintf(&text, format, list));
    CHECK(length == real_length && !strcmp(text, expected), "vasprintf(%s)", format);
    free(text);
    text = WITH(plx_format_text(format, list, &length));
    CHECK(length == real_length && !strcmp(text, expected), "plx_format_text(%s)", format);
    plx_free_text(text);
    length = WITH(plx_model___vasprintf_chk(&text, 0, format, list));
    CHECK(length == real_length && !strcmp(text, expected), "__vasprintf_chk(%s)", format);
    free(text);
}

static void compare(const char *format, size_t room, ...) {
    va_list arguments;
    va_start(arguments, room);
    check_lists(format, room, arguments);
    va_end(arguments);
}

// A conversion in random spelling, without its specifier. How many arguments of its own it takes.
static int spell(char *to, int *counts) {
    int taken = 0;
    *to++ = '%';
    for (int flags = (int)below(4); flags > 0; flags--) {
        *to++ = "-+ #0'"[below(6)];
    }
    switch (below(4)) {
    case 0:
        to += sprintf(to, "%d", (int)below(25));
        break;
    case 1:
        counts[taken++] = (int)below(50) - 25;
        *to++ = '*';
        break;
    default:
        break;
    }
    switch (below(4)) {
    case 0:
        to += sprintf(to, ".%d", (int)below(25));
        break;
    case 1:
        counts[taken++] = (int)below(40) - 15;
        to += sprintf(to, ".*");
        break;
    case 2:
        if (below(4) == 0) {
            *to++ = '.';
        }
        break;
    default:
        break;
    }
    *to = '\0';
    return taken;
}

#define COMPARE(value)                                                                             \
    do {                                                                                           \
        size_t room = below(3) ? 1000 : below(30);                                                 \
        if (taken == 0) {                                                                          \
            compare(format, room, value, 77);                                                      \
        } else if (taken == 1) {                                                                   \
            compare(format, room, counts[0], value, 77);                                           \
        } else {                                                                                   \
            compare(format, room, counts[0], counts[1], value, 77);                                \
        }                                                                                          \
    } while (0)

static uint64_t random_integer(void) {
    static const uint64_t edges[] = {0,          1,          9,         10,       99,
                                     100,        INT_MAX,    INT_MIN,   UINT_MAX, 0x80000000,
                                     LONG_MAX,   LONG_MIN,   UINT64_MAX, 999999999, 1000000000,
                                     4294967295, 4294967296, 127,       128,      255};
    uint64_t value = below(3) ? below(UINT64_MAX) >> below(64) : edges[below(20)];
    return below(3) ? value : 0 - value;
}

static void check_conversion(void) {
    char format[80] = "<";
    int counts[2];
    int taken = spell(format + 1, counts);
    char *end = format + strlen(format);
    static const char *const longs[] = {"l", "ll", "j", "z", "t", "q", "L"};
    static const char *const shorts[] = {"", "", "h", "hh"};
    char integer[2] = {"diuxXob"[below(7)], '\0'};
    uint64_t value = random_integer();
    switch (below(7)) {
    case 0:
        strcat(strcat(strcat(end, PICK(longs)), integer), "> %d");
        COMPARE((unsigned long)value);
        break;
    case 1:
    case 2:
        strcat(strcat(strcat(end, PICK(shorts)), integer), "> %i");
        COMPARE((unsigned)value);
        break;
    case 3:
        strcat(end, "s> %u");
        COMPARE(below(9) ? random_text(0, "abc%\n\xff", 30) : NULL);
        break;
    case 4:
        strcat(end, "c> %x");
        COMPARE((int)value);
        break;
    case 5:
        strcat(end, "p> %X");
        COMPARE(below(4) ? (void *)value : NULL);
        break;
    default: {
        char real[2] = {"eEfFgGaA"[below(8)], '\0'};
        if (below(2)) {
            strcat(strcat(end, real), "> %d");
            COMPARE((double)(int64_t)value / 7);
        } else {
            strcat(strcat(strcat(end, "L"), real), "> %d");
            COMPARE((long double)(int64_t)value / 7);
        }
    }
    }
}

// A text of a precision need not end.
static void check_open_text(void) {
    size_t length = below(20);
    const char *text = guarded(0, "abcdefghijklmnopqrstuvwxyz", length);
    compare("%.*s|", 100, (int)length, text);
    compare("%-30.*s|", 100, (int)length, text);
}

static void check_counts(void) {
    signed char tiny = 1;
    short small = 1;
    int plain = 1;
    long wide = 1;
    int length = plx_model_snprintf(actual, 3, "ab%hhnc%hnd%s%n%lne", &tiny, &small, "xyz", &plain,
                                    &wide);
    CHECK(length == 8 && !strcmp(actual, "ab"), "%d %s", length, actual);
    CHECK(tiny == 2 && small == 3 && plain == 7 && wide == 7, "%d %d %d %ld", tiny, small, plain,
          wide);
}

static void check_variadic(void) {
    fill();
    int real_length = sprintf(expected, "%d %s %5.2f %c", 12, "ab", 1.5, 'x');
    same("sprintf", "sprintf", plx_model_sprintf(actual, "%d %s %5.2f %c", 12, "ab", 1.5, 'x'),
         real_length);
    fill();
    real_length = snprintf(expected, 4, "%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7);
    int length = plx_model_snprintf(actual, 4, "%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7);
    same("snprintf", "snprintf", length, real_length);
    fill();
    real_length = sprintf(expected, "%x-%s", 255, "text");
    length = plx_model___sprintf_chk(actual, 1, 8, "%x-%s", 255, "text");
    same("__sprintf_chk", "__sprintf_chk", length, real_length);
    length = plx_model___snprintf_chk(actual, 8, 1, 8, "%x-%s", 255, "text");
    same("__snprintf_chk", "__snprintf_chk", length, real_length);
    char *text = NULL;
    CHECK(plx_model_asprintf(&text, "%s=%d", "key", 5) == 5 && !strcmp(text, "key=5"), "asprintf");
    free(text);
    CHECK(plx_model___asprintf_chk(&text, 1, "%s=%d", "key", 5) == 5 && !strcmp(text, "key=5"),
          "__asprintf_chk");
    free(text);
}

static void check_failures(void) {
    errno = 0;
    CHECK(plx_model_snprintf(actual, 10, "%2147483648d", 1) == -1 && errno == EOVERFLOW, "one");
    // The real function prints all that it does not keep, which takes seconds.
    if (mode == ALL_SYMBOLIC) {
        errno = 0;
        CHECK(plx_model_snprintf(actual, 10, "%2147483640d%20d", 1, 2) == -1 && errno == EOVERFLOW,
              "two");
        CHECK(plx_model_snprintf(NULL, 0, "%2147483640d", 1) == 2147483640, "much");
    }
    for (int which = 0; which < 2; which++) {
        pid_t child = fork();
        if (child == 0) {
            close(2);
            which ? plx_model___sprintf_chk(actual, 1, 4, "%d", 1234)
                  : plx_model___snprintf_chk(actual, 5, 1, 4, "%d", 1);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%d went on", which);
    }
}

// The parser, for those who use it alone.
static void check_parser(void) {
    struct plx_conversion conversion;
    const char *format = "ab%-+ #0'12.34lld|%hhu%*.*s%%%2$d%Lf%";
    const char *at = plx_next_conversion(format, &conversion);
    CHECK(conversion.start == format + 2 && *at == '|' && conversion.length == 15, "%s", at);
    CHECK(conversion.left && conversion.plus && conversion.space && conversion.alternate &&
              conversion.zero && conversion.group && !conversion.numbered, "flags");
    CHECK(conversion.width == 12 && conversion.precision == 34 && conversion.specifier == 'd' &&
              conversion.modifier == PLX_MODIFIER_LONG, "numbers");
    at = plx_next_conversion(at, &conversion);
    CHECK(conversion.modifier == PLX_MODIFIER_CHAR && conversion.specifier == 'u' &&
              conversion.width == PLX_ABSENT && conversion.precision == PLX_ABSENT, "small");
    at = plx_next_conversion(at, &conversion);
    CHECK(conversion.width == PLX_IN_ARGUMENT && conversion.precision == PLX_IN_ARGUMENT, "stars");
    at = plx_next_conversion(at, &conversion);
    CHECK(conversion.specifier == '%' && plx_argument_kind(&conversion) == PLX_ARGUMENT_NONE, "%%");
    at = plx_next_conversion(at, &conversion);
    CHECK(conversion.numbered && plx_argument_kind(&conversion) == PLX_ARGUMENT_UNKNOWN,
          "numbered");
    at = plx_next_conversion(at, &conversion);
    CHECK(plx_argument_kind(&conversion) == PLX_ARGUMENT_LONG_DOUBLE, "long double");
    at = plx_next_conversion(at, &conversion);
    CHECK(at && *at == '\0' && conversion.specifier == '\0' && conversion.length == 1, "cut");
    CHECK(!plx_next_conversion(at, &conversion) && conversion.start == at, "end");
}

void check(void) {
    for (int round = 0; round < 12000; round++) {
        check_conversion();
    }
    for (int round = 0; round < 200; round++) {
        check_open_text();
    }
    errno = ENOENT;
    compare("%m %5%|%-20m|%.3m", 200, 0);
    errno = ENOENT;
    compare("%2$s %1$d", 200, 5, "numbered");
    compare("no conversion", 200);
    compare("", 200);
    compare("%d", 0, 12345);
    compare("%ls|%lc", 100, L"wide", L'w');
    check_counts();
    check_variadic();
    check_failures();
    check_parser();
}
