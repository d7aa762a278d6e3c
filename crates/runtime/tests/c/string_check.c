// Strings and bytes: results, targets byte for byte, and what lies behind them.
#define _GNU_SOURCE
#include <signal.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define MODEL(name) extern __typeof__(name) plx_model_##name
MODEL(strlen); MODEL(strnlen); MODEL(strcpy); MODEL(stpcpy); MODEL(strncpy); MODEL(stpncpy);
MODEL(strcat); MODEL(strncat); MODEL(strcmp); MODEL(strncmp); MODEL(strcasecmp);
MODEL(strncasecmp); MODEL(strcoll); MODEL(strxfrm); MODEL(strchr); MODEL(strrchr);
MODEL(strchrnul); MODEL(index); MODEL(rindex); MODEL(memchr); MODEL(memrchr); MODEL(rawmemchr);
MODEL(strstr); MODEL(strcasestr); MODEL(memmem); MODEL(strspn); MODEL(strcspn); MODEL(strpbrk);
MODEL(strtok); MODEL(strtok_r); MODEL(strsep); MODEL(strdup); MODEL(strndup); MODEL(memcpy);
MODEL(mempcpy); MODEL(memmove); MODEL(memset); MODEL(bzero); MODEL(explicit_bzero); MODEL(memcmp);
MODEL(bcmp); MODEL(bcopy); MODEL(memccpy); MODEL(swab); MODEL(strverscmp); MODEL(ffs); MODEL(ffsl);
MODEL(ffsll);

extern void *plx_model___memcpy_chk(void *, const void *, size_t, size_t);
extern void *plx_model___memmove_chk(void *, const void *, size_t, size_t);
extern void *plx_model___mempcpy_chk(void *, const void *, size_t, size_t);
extern void *plx_model___memset_chk(void *, int, size_t, size_t);
extern void plx_model___explicit_bzero_chk(void *, size_t, size_t);
extern char *plx_model___strcpy_chk(char *, const char *, size_t);
extern char *plx_model___stpcpy_chk(char *, const char *, size_t);
extern char *plx_model___strncpy_chk(char *, const char *, size_t, size_t);
extern char *plx_model___stpncpy_chk(char *, const char *, size_t, size_t);
extern char *plx_model___strcat_chk(char *, const char *, size_t);
extern char *plx_model___strncat_chk(char *, const char *, size_t, size_t);

static const char *const alphabets[] = {"a", "ab", "aAbB", "abcXYZ @[`{", "\x80\xff\x01z", "01a.-"};

// Where in `base` a result points to, or -1.
static long where(const void *result, const void *base) {
    return result ? (const char *)result - (const char *)base : -1;
}

static void check_lengths(const char *s, size_t n) {
    CHECK(plx_model_strlen(s) == strlen(s), "'%s'", SHOWN(s));
    CHECK(plx_model_strnlen(s, n) == strnlen(s, n), "'%s' %zu", SHOWN(s), n);
    const char *open = guarded(3, s, strlen(s));
    CHECK(plx_model_strnlen(open, strlen(s)) == strlen(s), "without an end");
}

#define COMPARE_ORDER(name, ...)                                                                   \
    CHECK(plx_model_##name(one, other, ##__VA_ARGS__) == name(one, other, ##__VA_ARGS__),          \
          #name " '%s' '%s' %zu: %d not %d", SHOWN(one), SHOWN(other), n,                          \
          plx_model_##name(one, other, ##__VA_ARGS__), name(one, other, ##__VA_ARGS__))

static void check_comparisons(const char *one, const char *other, size_t n) {
    COMPARE_ORDER(strcmp);
    COMPARE_ORDER(strcasecmp);
    COMPARE_ORDER(strcoll);
    COMPARE_ORDER(strncmp, n);
    COMPARE_ORDER(strncasecmp, n);
    COMPARE_ORDER(strverscmp);
    size_t shorter = strlen(one) < strlen(other) ? strlen(one) : strlen(other);
    const char *left = guarded(3, one, shorter), *right = guarded(4, other, shorter);
    CHECK(plx_model_memcmp(left, right, shorter) == memcmp(left, right, shorter),
          "memcmp '%s' '%s'", SHOWN(one), SHOWN(other));
    CHECK(!plx_model_bcmp(left, right, shorter) == !bcmp(left, right, shorter), "bcmp");
    CHECK(plx_model_strncmp(left, right, shorter) == strncmp(left, right, shorter), "strncmp");
    CHECK(plx_model_strncasecmp(left, right, shorter) == strncasecmp(left, right, shorter), "case");
}

static void check_searches(char *s, const char *what, int c, size_t n) {
    CHECK(plx_model_strchr(s, c) == strchr(s, c), "'%s' %d", SHOWN(s), c);
    CHECK(plx_model_index(s, c) == index(s, c), "'%s' %d", SHOWN(s), c);
    CHECK(plx_model_strchrnul(s, c) == strchrnul(s, c), "'%s' %d", SHOWN(s), c);
    CHECK(plx_model_strrchr(s, c) == strrchr(s, c), "'%s' %d", SHOWN(s), c);
    CHECK(plx_model_rindex(s, c) == rindex(s, c), "'%s' %d", SHOWN(s), c);
    size_t count = strlen(s) < n ? strlen(s) : n;
    CHECK(plx_model_memchr(s, c, count) == memchr(s, c, count), "'%s' %d %zu", SHOWN(s), c, count);
    CHECK(plx_model_memrchr(s, c, count) == memrchr(s, c, count), "'%s' %d %zu", SHOWN(s), c,
          count);
    CHECK(plx_model_rawmemchr(s, 0) == rawmemchr(s, 0), "'%s'", SHOWN(s));
    if (strchr(s, c)) {
        CHECK(plx_model_rawmemchr(s, c) == rawmemchr(s, c), "'%s' %d", SHOWN(s), c);
        CHECK(plx_model_memchr(s, c, n + 1000) == memchr(s, c, n + 1000), "far");
    }
    CHECK(plx_model_strstr(s, what) == strstr(s, what), "'%s' '%s'", SHOWN(s), SHOWN(what));
    CHECK(plx_model_strcasestr(s, what) == strcasestr(s, what), "'%s' '%s'", SHOWN(s), SHOWN(what));
    const char *bytes = guarded(3, s, strlen(s)), *bytes_of = guarded(4, what, strlen(what));
    CHECK(plx_model_memmem(bytes, strlen(s), bytes_of, strlen(what)) ==
              memmem(bytes, strlen(s), bytes_of, strlen(what)),
          "memmem '%s' '%s'", SHOWN(s), SHOWN(what));
    CHECK(plx_model_strspn(s, what) == strspn(s, what), "'%s' '%s'", SHOWN(s), SHOWN(what));
    CHECK(plx_model_strcspn(s, what) == strcspn(s, what), "'%s' '%s'", SHOWN(s), SHOWN(what));
    CHECK(plx_model_strpbrk(s, what) == strpbrk(s, what), "'%s' '%s'", SHOWN(s), SHOWN(what));
}

// Runs the real function and the model on two memories that start out the same, and compares the
// result and all of both memories.
#define TARGET 160
static char expected_target[TARGET], target[TARGET];

static void set_targets(const char *start) {
    for (size_t at = 0; at < TARGET; at++) {
        target[at] = (char)below(256);
    }
    strcpy(target + 8, start);
    memcpy(expected_target, target, TARGET);
}

#define COPY(name, ...)                                                                            \
    do {                                                                                           \
        set_targets(start);                                                                        \
        char *to = expected_target + 8;                                                            \
        long expected = where(name(to, __VA_ARGS__), to);                                          \
        to = target + 8;                                                                           \
        long actual = where(plx_model_##name(to, __VA_ARGS__), to);                                \
        CHECK(actual == expected && !memcmp(target, expected_target, TARGET),                      \
              #name " '%s' '%s' %zu: %ld not %ld, '%s' not '%s'", SHOWN(start), SHOWN(s), n,       \
              actual, expected, shown(target, TARGET), shown(expected_target, TARGET));            \
    } while (0)

#define COPY_VOID(call, model_call)                                                                \
    do {                                                                                           \
        set_targets(start);                                                                        \
        char *to = expected_target + 8;                                                            \
        call;                                                                                      \
        to = target + 8;                                                                           \
        model_call;                                                                                \
        CHECK(!memcmp(target, expected_target, TARGET), #call " '%s' %zu", SHOWN(s), n);           \
    } while (0)

// A checked model against the function without a check, where there is room.
#define COPY_CHECKED(name, room, ...)                                                              \
    do {                                                                                           \
        set_targets(start);                                                                        \
        char *to = expected_target + 8;                                                            \
        long expected = where(name(to, __VA_ARGS__), to);                                          \
        to = target + 8;                                                                           \
        long actual = where(plx_model___##name##_chk(to, __VA_ARGS__, room), to);                  \
        CHECK(actual == expected && !memcmp(target, expected_target, TARGET), #name "_chk");       \
    } while (0)

static void check_copies(const char *start, const char *s, size_t n, int c) {
    COPY(strcpy, s);
    COPY(stpcpy, s);
    COPY(strncpy, s, n);
    COPY(stpncpy, s, n);
    COPY(strcat, s);
    COPY(strncat, s, n);
    size_t count = strlen(s) < n ? strlen(s) : n;
    COPY(memcpy, s, count);
    COPY(memmove, s, count);
    COPY(mempcpy, s, count);
    COPY(memccpy, s, c, count);
    COPY(memset, c, n);
    COPY_VOID(bzero(to, n), plx_model_bzero(to, n));
    COPY_VOID(explicit_bzero(to, n), plx_model_explicit_bzero(to, n));
    COPY_VOID(bcopy(s, to, count), plx_model_bcopy(s, to, count));
    COPY_VOID(swab(s, to, (ssize_t)count), plx_model_swab(s, to, (ssize_t)count));
    COPY_VOID(swab(s, to, -3), plx_model_swab(s, to, -3));
    COPY_VOID(bcopy(to, to + n % 9, n), plx_model_bcopy(to, to + n % 9, n));
    COPY_VOID(memmove(to + n % 9, to, n), plx_model_memmove(to + n % 9, to, n));
    COPY_VOID(memmove(to, to + n % 9, n), plx_model_memmove(to, to + n % 9, n));
    size_t real_length = 0, length = 0;
    COPY_VOID(real_length = strxfrm(to, s, n), length = plx_model_strxfrm(to, s, n));
    CHECK(length == real_length && plx_model_strxfrm(NULL, s, 0) == length, "strxfrm");
    size_t held = strlen(s) + 1, both = strlen(start) + held, at_most = strlen(start) + count + 1;
    COPY_CHECKED(strcpy, held, s);
    COPY_CHECKED(stpcpy, held, s);
    COPY_CHECKED(strncpy, n, s, n);
    COPY_CHECKED(stpncpy, n, s, n);
    COPY_CHECKED(strcat, both, s);
    COPY_CHECKED(strncat, at_most, s, n);
    COPY_CHECKED(memcpy, count, s, count);
    COPY_CHECKED(memmove, count, s, count);
    COPY_CHECKED(mempcpy, count, s, count);
    COPY_CHECKED(memset, n, c, n);
}

static void check_heap(const char *s, size_t n) {
    char *one = plx_model_strdup(s), *other = plx_model_strndup(s, n), *real = strndup(s, n);
    CHECK(!strcmp(one, s) && !strcmp(other, real), "'%s' %zu", SHOWN(s), n);
    free(one);
    free(other);
    free(real);
}

// Tokens are compared by place, so that the strings can be two copies.
static void check_tokens(const char *s, const char *set) {
    char *one = guarded_text(3, s), *other = guarded_text(4, s);
    char *real_rest = NULL, *rest = NULL;
    char *real_start = one, *start = other, *real_parts = one, *parts = other;
    for (;;) {
        long expected = where(strtok_r(real_start, set, &real_rest), one);
        long actual = where(plx_model_strtok_r(start, set, &rest), other);
        CHECK(actual == expected && where(rest, other) == where(real_rest, one),
              "strtok_r '%s' '%s': %ld not %ld", SHOWN(s), SHOWN(set), actual, expected);
        CHECK(!memcmp(one, other, strlen(s) + 1), "strtok_r '%s'", SHOWN(s));
        real_start = start = NULL;
        if (expected < 0) {
            break;
        }
    }
    memcpy(one, s, strlen(s) + 1);
    memcpy(other, s, strlen(s) + 1);
    while (real_parts || parts) {
        long expected = where(strsep(&real_parts, set), one);
        long actual = where(plx_model_strsep(&parts, set), other);
        CHECK(actual == expected && where(real_parts, one) == where(parts, other), "strsep '%s'",
              SHOWN(s));
    }
    CHECK(!plx_model_strsep(&parts, set), "strsep at the end");
    memcpy(one, s, strlen(s) + 1);
    memcpy(other, s, strlen(s) + 1);
    long expected = where(strtok(one, set), one);
    long actual = where(plx_model_strtok(other, set), other);
    while (expected >= 0 || actual >= 0) {
        CHECK(actual == expected, "strtok '%s' '%s'", SHOWN(s), SHOWN(set));
        expected = where(strtok(NULL, set), one);
        actual = where(plx_model_strtok(NULL, set), other);
    }
}

static void check_bits(void) {
    for (int bit = 0; bit < 64; bit++) {
        long i = (long)(below(UINT64_MAX) << bit);
        CHECK(plx_model_ffs((int)i) == ffs((int)i), "%d", (int)i);
        CHECK(plx_model_ffsl(i) == ffsl(i) && plx_model_ffsll(i) == ffsll(i), "%ld", i);
    }
    CHECK(plx_model_ffs(0) == 0 && plx_model_ffsl(0) == 0, "zero");
}

// A copy that does not fit ends the process as the library does.
#define OVERFLOWS(call)                                                                            \
    do {                                                                                           \
        char room[16] = "start";                                                                   \
        pid_t child = fork();                                                                      \
        if (child == 0) {                                                                          \
            close(2);                                                                              \
            (void)call;                                                                            \
            _exit(0);                                                                              \
        }                                                                                          \
        int status = 0;                                                                            \
        waitpid(child, &status, 0);                                                                \
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, #call " went on in %p",          \
              (void *)room);                                                                       \
    } while (0)

static void check_overflows(void) {
    const char *s = "0123456789abcdef";
    OVERFLOWS(plx_model___memcpy_chk(room, s, 16, 15));
    OVERFLOWS(plx_model___memmove_chk(room, s, 16, 15));
    OVERFLOWS(plx_model___mempcpy_chk(room, s, 16, 15));
    OVERFLOWS(plx_model___memset_chk(room, 1, 16, 15));
    OVERFLOWS((plx_model___explicit_bzero_chk(room, 16, 15), 0));
    OVERFLOWS(plx_model___strcpy_chk(room, s, 16));
    OVERFLOWS(plx_model___stpcpy_chk(room, s, 16));
    OVERFLOWS(plx_model___strncpy_chk(room, s, 16, 15));
    OVERFLOWS(plx_model___stpncpy_chk(room, s, 16, 15));
    OVERFLOWS(plx_model___strcat_chk(room, s + 5, 16));
    OVERFLOWS(plx_model___strcat_chk(room, "", 5));
    OVERFLOWS(plx_model___strncat_chk(room, s, 11, 16));
}

void check(void) {
    for (int round = 0; round < 4000; round++) {
        const char *alphabet = PICK(alphabets);
        size_t limit = below(4) ? 8 : 100, n = below(limit + 10);
        char *s = random_text(0, alphabet, limit), *other = random_text(1, alphabet, limit);
        if (below(3) == 0) {
            other = guarded_text(1, s);
            if (*other && below(2)) {
                other[below(strlen(other))] ^= (char)(1 << below(8));
            }
        }
        char *what = random_text(2, alphabet, 4);
        int c = below(5) ? alphabet[below(strlen(alphabet))] : (int)below(600) - 300;
        check_lengths(s, n);
        check_comparisons(s, other, n);
        check_searches(s, what, c, n);
        char start[30];
        strcpy(start, random_text(5, alphabet, 20));
        size_t copied = n > 100 ? 100 : n;
        check_copies(start, s, copied, c);
        check_heap(s, n);
        check_tokens(s, what);
    }
    // Versions need more of the digits that matter than the rounds above have.
    for (int round = 0; round < 20000; round++) {
        const char *one = random_text(0, "0019a", 6), *other = random_text(1, "0019a", 6);
        size_t n = 0;
        COMPARE_ORDER(strverscmp);
    }
    check_bits();
    check_overflows();
}
