// Functions that pin what they read, and wide characters.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <locale.h>
#include <regex.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

#include "effects_stub.h"

extern struct tm *plx_model_gmtime_r(const time_t *moment, struct tm *date);
extern time_t plx_model_timegm(struct tm *date);
extern size_t plx_model_strftime(char *, size_t, const char *, const struct tm *);
extern int plx_model_regcomp(regex_t *compiled, const char *pattern, int flags);
extern int plx_model_regexec(const regex_t *, const char *, size_t, regmatch_t *, int);
extern int plx_model_fnmatch(const char *pattern, const char *text, int flags);
extern size_t plx_model_mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
extern size_t plx_model_wcrtomb(char *, wchar_t, mbstate_t *);

static void dates(void) {
    time_t moment = 1700000000;
    struct tm date;
    char text[40];
    plx_label_input(&date, sizeof date, 0, 0);
    CHECK(plx_model_gmtime_r(&moment, &date) == &date && plx_is_clean(&date, sizeof date));
    CHECK(plx_model_timegm(&date) == moment);
    CHECK(plx_model_strftime(text, sizeof text, "%Y-%m-%d", &date) == 10);
    CHECK(strcmp(text, "2023-11-14") == 0);
}

static void patterns(void) {
    regex_t compiled;
    regmatch_t matches[2];
    CHECK(plx_model_regcomp(&compiled, "a(b+)", REG_EXTENDED) == 0);
    plx_label_input(matches, sizeof matches, 0, 0);
    CHECK(plx_model_regexec(&compiled, "xxabbc", 2, matches, 0) == 0);
    CHECK(matches[1].rm_so == 3 && matches[1].rm_eo == 5 && plx_is_clean(matches, sizeof matches));
    CHECK(plx_model_fnmatch("a*c", "abc", 0) == 0 && plx_model_fnmatch("a*c", "abd", 0) != 0);
    regfree(&compiled);
}

// With and without the branch for symbolic bytes.
static void wide_characters(void) {
    char labelled[8], text[8];
    wchar_t one, other;
    CHECK(setlocale(LC_ALL, "C.UTF-8"));
    for (int c = 1; c < 0x800; c++) {
        mbstate_t state = {0}, model_state = {0}, labelled_state = {0};
        size_t length = wcrtomb(text, c, &state);
        CHECK(plx_model_wcrtomb(labelled, c, &model_state) == length);
        CHECK(memcmp(text, labelled, length) == 0);
        plx_label_input(labelled, length, 0, 0);
        CHECK(plx_model_mbrtowc(&one, text, length, &state) == length && one == c);
        CHECK(plx_model_mbrtowc(&other, labelled, length, &labelled_state) == length && other == c);
        plx_clear(labelled, length);
    }
}

void test_opaque(void) {
    dates();
    patterns();
    wide_characters();
}
