// Every class and case of every character, and characters that are none.
#define _GNU_SOURCE
#define __NO_CTYPE
#include <ctype.h>
#include <locale.h>

#include "check.h"

#define CLASSES(apply)                                                                             \
    apply(isalnum) apply(isalpha) apply(isblank) apply(iscntrl) apply(isdigit) apply(isgraph)      \
        apply(islower) apply(isprint) apply(ispunct) apply(isspace) apply(isupper)                 \
            apply(isxdigit) apply(tolower) apply(toupper)

#define DECLARE(name)                                                                              \
    extern int plx_model_##name(int);                                                              \
    extern int plx_model_##name##_l(int, locale_t);
CLASSES(DECLARE)
extern int plx_model_isascii(int), plx_model_toascii(int);
extern int plx_model__tolower(int), plx_model__toupper(int);
extern const unsigned short **plx_model___ctype_b_loc(void);
extern const int32_t **plx_model___ctype_tolower_loc(void);
extern const int32_t **plx_model___ctype_toupper_loc(void);

#define COMPARE(name, c) CHECK(plx_model_##name(c) == name(c), #name " of %d", c);

#define COMPARE_BOTH(name)                                                                         \
    COMPARE(name, c)                                                                               \
    CHECK(plx_model_##name##_l(c, locale) == name##_l(c, locale), #name "_l of %d", c);

void check(void) {
    locale_t locale = newlocale(LC_ALL_MASK, "C", NULL);
    for (int c = -128; c < 256; c++) {
        CLASSES(COMPARE_BOTH)
        CHECK(plx_model__tolower(c) == (*__ctype_tolower_loc())[c], "_tolower of %d", c);
        CHECK(plx_model__toupper(c) == (*__ctype_toupper_loc())[c], "_toupper of %d", c);
        CHECK((*plx_model___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "table at %d", c);
        CHECK((*plx_model___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "at %d", c);
        CHECK((*plx_model___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "at %d", c);
    }
    const int others[] = {-129, -1000, 256, 1000, INT32_MIN, INT32_MAX};
    for (size_t at = 0; at < sizeof others / sizeof *others; at++) {
        int c = others[at];
        COMPARE(tolower, c)
        COMPARE(toupper, c)
        COMPARE(isascii, c)
        COMPARE(toascii, c)
    }
    for (int c = -300; c < 300; c++) {
        COMPARE(isascii, c)
        COMPARE(toascii, c)
    }
    freelocale(locale);
}
