// Classes of characters in the C locale, as values.
//
// Decision: arithmetic without branches. A class is then one small expression over the character,
// which the program may test, store or combine, and only the program's own test is a condition of
// the path.
#pragma once

static inline int plx_between(int c, int first, int count) {
    return (unsigned)c - (unsigned)first < (unsigned)count;
}

static inline int plx_is_digit(int c) { return plx_between(c, '0', 10); }

static inline int plx_is_space(int c) { return plx_between(c, '\t', 5) | (c == ' '); }

static inline int plx_is_upper(int c) { return plx_between(c, 'A', 26); }

static inline int plx_is_lower(int c) { return plx_between(c, 'a', 26); }

static inline int plx_is_alpha(int c) { return plx_between(c | 32, 'a', 26); }

// Of a character from 0 to 255.
static inline int plx_to_lower(int c) { return c + (plx_is_upper(c) << 5); }
