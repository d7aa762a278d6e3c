// Wide characters: where they are ASCII, they are what their bytes are.
//
// Decision: in the C locale and in UTF-8 a byte below 128 is a character of the same number, so a
// symbolic byte is one branch and its character keeps the label. Anything else is pinned and left to
// the library.
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "ctype_classes.h"
#include "file.h"

#define OPERATION(value) PLX_PINNED(value, PLX_PIN_OPERATION)

// Whether no part of a character has been read yet.
static int is_initial(const mbstate_t *state) {
    return !state || mbsinit(state);
}

// Whether the byte at `text` is a symbolic character of ASCII: a branch.
static int is_symbolic_ascii(const char *text, size_t length) {
    if (!text || length == 0 || plx_is_clean(text, 1)) return 0;
    if (!plx_is_before((unsigned char)*text, 0x80)) return 0;
    return 1;
}

// No character is longer.
static void pin_character(const char *text, size_t length) {
    if (text) plx_pin_memory(text, strnlen(text, length < MB_LEN_MAX ? length : MB_LEN_MAX));
}

static size_t length_of_ascii(const char *text) {
    if (*text) return 1;
    return 0;
}

static mbstate_t mbrtowc_state, mbrlen_state;

size_t plx_model_mbrtowc(wchar_t *to, const char *text, size_t length, mbstate_t *state) {
    if (!plx_tracing()) return mbrtowc(to, text, length, state);
    length = PLX_PIN_LENGTH(length);
    if (!state) state = &mbrtowc_state;
    if (is_initial(state) && is_symbolic_ascii(text, length)) {
        if (to) *to = (unsigned char)*text;
        return length_of_ascii(text);
    }
    pin_character(text, length);
    size_t result = mbrtowc(to, text, length, state);
    if (to) plx_clear(to, sizeof *to);
    return result;
}
PLX_ALIAS(__mbrtowc, mbrtowc);

size_t plx_model_mbrlen(const char *text, size_t length, mbstate_t *state) {
    return plx_model_mbrtowc(NULL, text, length, state ? state : &mbrlen_state);
}
PLX_ALIAS(__mbrlen, mbrlen);

int plx_model_mbtowc(wchar_t *to, const char *text, size_t length) {
    if (!plx_tracing()) return mbtowc(to, text, length);
    length = PLX_PIN_LENGTH(length);
    if (is_symbolic_ascii(text, length)) {
        if (to) *to = (unsigned char)*text;
        return (int)length_of_ascii(text);
    }
    pin_character(text, length);
    int result = mbtowc(to, text, length);
    if (text && to) plx_clear(to, sizeof *to);
    return result;
}

int plx_model_mblen(const char *text, size_t length) {
    return plx_model_mbtowc(NULL, text, length);
}

size_t plx_model_mbstowcs(wchar_t *to, const char *text, size_t room) {
    if (!plx_tracing()) return mbstowcs(to, text, room);
    size_t count = mbstowcs(to, plx_pin_string(text), PLX_PIN_LENGTH(room));
    if (to && count != (size_t)-1)
        plx_clear(to, (count < room ? count + 1 : count) * sizeof *to);
    return count;
}

size_t plx_model_mbsrtowcs(wchar_t *to, const char **text, size_t room, mbstate_t *state) {
    plx_pin_string(*text);
    size_t count = mbsrtowcs(to, text, PLX_PIN_LENGTH(room), state);
    if (to && count != (size_t)-1)
        plx_clear(to, (count < room ? count + 1 : count) * sizeof *to);
    return count;
}

size_t plx_model___mbstowcs_chk(wchar_t *to, const char *text, size_t length, size_t room) {
    if (length > room) __chk_fail();
    return plx_model_mbstowcs(to, text, length);
}

size_t plx_model___mbsrtowcs_chk(wchar_t *to, const char **text, size_t length, mbstate_t *state,
                                 size_t room) {
    if (length > room) __chk_fail();
    return plx_model_mbsrtowcs(to, text, length, state);
}

// ---- To bytes ------------------------------------------------------------------------------------

size_t plx_model_wcrtomb(char *to, wchar_t wide, mbstate_t *state) {
    if (!plx_tracing()) return wcrtomb(to, wide, state);
    if (to && !PLX_IS_CONCRETE(wide) && is_initial(state) && plx_is_before((uint32_t)wide, 0x80)) {
        *to = (char)wide;
        return 1;
    }
    size_t length = wcrtomb(to, OPERATION(wide), state);
    if (to && length != (size_t)-1) plx_clear(to, length);
    return length;
}

int plx_model_wctomb(char *to, wchar_t wide) {
    if (!to) return wctomb(to, wide);
    return (int)plx_model_wcrtomb(to, wide, NULL);
}

size_t plx_model___wcrtomb_chk(char *to, wchar_t wide, mbstate_t *state, size_t room) {
    if (room < MB_CUR_MAX) __chk_fail();
    return plx_model_wcrtomb(to, wide, state);
}

int plx_model___wctomb_chk(char *to, wchar_t wide, size_t room) {
    if (room < MB_CUR_MAX) __chk_fail();
    return plx_model_wctomb(to, wide);
}

wint_t plx_model_btowc(int byte) {
    if (PLX_IS_CONCRETE(byte)) return btowc(byte);
    if (plx_is_before((uint32_t)byte, 0x80)) return (wint_t)byte;
    return btowc(OPERATION(byte));
}

int plx_model_wctob(wint_t wide) {
    if (PLX_IS_CONCRETE(wide)) return wctob(wide);
    if (plx_is_before(wide, 0x80)) return (int)wide;
    return wctob(OPERATION(wide));
}

// ---- Classes -------------------------------------------------------------------------------------

// The answers are those of the library, which are not only 0 and 1: `some` is a character of the class.
#define CLASS(name, some, expression)                                                              \
    int plx_model_isw##name(wint_t wide) {                                                         \
        if (PLX_IS_CONCRETE(wide)) return isw##name(wide);                                         \
        int c = (int)wide;                                                                         \
        if (plx_is_before(wide, 0x80)) return (expression) ? isw##name(some) : 0;                  \
        return isw##name(OPERATION(wide));                                                         \
    }

CLASS(alnum, L'a', plx_is_alpha(c) | plx_is_digit(c))
CLASS(alpha, L'a', plx_is_alpha(c))
CLASS(blank, L' ', (c == ' ') | (c == '\t'))
CLASS(cntrl, L'\n', plx_between(c, 0, 32) | (c == 127))
CLASS(digit, L'0', plx_is_digit(c))
CLASS(graph, L'a', plx_between(c, 33, 94))
CLASS(lower, L'a', plx_is_lower(c))
CLASS(print, L'a', plx_between(c, 32, 95))
CLASS(punct, L'!', plx_between(c, 33, 94) & !(plx_is_alpha(c) | plx_is_digit(c)))
CLASS(space, L' ', plx_is_space(c))
CLASS(upper, L'A', plx_is_upper(c))
CLASS(xdigit, L'a', plx_is_digit(c) | plx_between(c | 32, 'a', 6))

wint_t plx_model_towlower(wint_t wide) {
    if (PLX_IS_CONCRETE(wide)) return towlower(wide);
    if (plx_is_before(wide, 0x80)) return (wint_t)plx_to_lower((int)wide);
    return towlower(OPERATION(wide));
}

wint_t plx_model_towupper(wint_t wide) {
    if (PLX_IS_CONCRETE(wide)) return towupper(wide);
    if (plx_is_before(wide, 0x80)) return wide - ((wint_t)plx_is_lower((int)wide) << 5);
    return towupper(OPERATION(wide));
}

wctype_t plx_model_wctype(const char *name) { return wctype(plx_pin_string(name)); }

wctrans_t plx_model_wctrans(const char *name) { return wctrans(plx_pin_string(name)); }
