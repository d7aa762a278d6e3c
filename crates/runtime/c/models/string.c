// Models of <string.h> and <strings.h>: lengths, copies, comparisons and searches.
//
// Decision: the real function does the work wherever the bytes that it would look at are concrete,
// and copies are always made by it, with the labels copied behind. Where a byte is symbolic, a loop
// asks as little of it as the answer needs: one condition for each byte that is passed ("is it the
// end or what is looked for") and a last one for which of the two it was. Comparisons answer with
// the difference as an expression and are offered once more as a whole, so that the search need not
// find a word letter by letter.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "model.h"
#include "string_parts.h"

typedef unsigned char byte;

extern void __chk_fail(void) __attribute__((noreturn));

// At a symbolic address, so many bytes are stored or loaded one by one; the address of more is
// pinned, because each such store is an expression for every byte of the object.
#define SYMBOLIC_STORE 16
#define SYMBOLIC_LOAD 64

void *plx_own_memory(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (memory) {
        plx_object_born(memory, size);
    }
    return memory;
}

void plx_give_back(void *memory) {
    if (memory) {
        plx_object_dead(memory);
        free(memory);
    }
}

// Lengths.

size_t plx_model_strlen(const char *s) {
    if (PLX_IS_CONCRETE(s)) {
        size_t length = strlen(s);
        if (plx_is_clean(s, length + 1)) {
            return length;
        }
    }
    size_t length = 0;
    while (s[length] != '\0') {
        length++;
    }
    return length;
}

size_t plx_model_strnlen(const char *s, size_t limit) {
    if (PLX_IS_CONCRETE(s) && PLX_IS_CONCRETE(limit)) {
        size_t length = strnlen(s, limit);
        if (plx_is_clean(s, length < limit ? length + 1 : length)) {
            return length;
        }
    }
    size_t length = 0;
    while (length < limit && s[length] != '\0') {
        length++;
    }
    return length;
}

// Copies.

// A few bytes at a symbolic address. All are loaded before one is stored, so they may overlap.
static void copy_by_address(byte *to, const byte *from, size_t count) {
    byte passing[SYMBOLIC_LOAD];
    for (size_t at = 0; at < count; at++) {
        passing[at] = from[at];
    }
    for (size_t at = 0; at < count; at++) {
        to[at] = passing[at];
    }
}

void *plx_model_memmove(void *to, const void *from, size_t count) {
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    int to_known = PLX_IS_CONCRETE(to), from_known = PLX_IS_CONCRETE(from);
    if ((!to_known || !from_known) && count <= (to_known ? SYMBOLIC_LOAD : SYMBOLIC_STORE)) {
        copy_by_address(to, from, count);
        return to;
    }
    to = PLX_PINNED(to, PLX_PIN_ADDRESS);
    from = PLX_PINNED(from, PLX_PIN_ADDRESS);
    memmove(to, from, count);
    plx_copy_labels(to, from, count);
    return to;
}

// A program may rely on what memcpy does with memories that overlap only by mistake; memmove is
// what glibc's memcpy does on the processors of today.
PLX_ALIAS(memcpy, memmove);

void *plx_model_mempcpy(void *to, const void *from, size_t count) {
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    return (char *)plx_model_memmove(to, from, count) + count;
}
PLX_ALIAS(__mempcpy, mempcpy);

void plx_model_bcopy(const void *from, void *to, size_t count) {
    plx_model_memmove(to, from, count);
}

void *plx_model_memset(void *to, int c, size_t count) {
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    if (!PLX_IS_CONCRETE(to) && count > SYMBOLIC_STORE) {
        to = PLX_PINNED(to, PLX_PIN_ADDRESS);
    }
    if (PLX_IS_CONCRETE(to) && PLX_IS_CONCRETE((byte)c)) {
        memset(to, c, count);
        plx_clear(to, count);
        return to;
    }
    byte *bytes = to;
    for (size_t at = 0; at < count; at++) {
        bytes[at] = (byte)c;
    }
    return to;
}

void plx_model_bzero(void *to, size_t count) { plx_model_memset(to, 0, count); }
PLX_ALIAS(explicit_bzero, bzero);

char *plx_model_stpcpy(char *to, const char *from) {
    size_t length = plx_model_strlen(from);
    plx_model_memcpy(to, from, length + 1);
    return to + length;
}
PLX_ALIAS(__stpcpy, stpcpy);

char *plx_model_strcpy(char *to, const char *from) {
    plx_model_memcpy(to, from, plx_model_strlen(from) + 1);
    return to;
}

char *plx_model_stpncpy(char *to, const char *from, size_t count) {
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    size_t length = plx_model_strnlen(from, count);
    plx_model_memcpy(to, from, length);
    plx_model_memset(to + length, 0, count - length);
    return to + length;
}
PLX_ALIAS(__stpncpy, stpncpy);

char *plx_model_strncpy(char *to, const char *from, size_t count) {
    plx_model_stpncpy(to, from, count);
    return to;
}

char *plx_model_strcat(char *to, const char *from) {
    plx_model_strcpy(to + plx_model_strlen(to), from);
    return to;
}

char *plx_model_strncat(char *to, const char *from, size_t count) {
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    char *end = to + plx_model_strlen(to);
    size_t length = plx_model_strnlen(from, count);
    plx_model_memcpy(end, from, length);
    end[length] = '\0';
    return to;
}

void *plx_model_memccpy(void *to, const void *from, int c, size_t count) {
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    const byte *bytes = from;
    size_t length = 0;
    if (PLX_IS_CONCRETE(from) && PLX_IS_CONCRETE((byte)c)) {
        const byte *found = memchr(from, c, count);
        length = found ? (size_t)(found - bytes) : count;
        if (!plx_is_clean(from, found ? length + 1 : length)) {
            length = 0;
        }
    }
    while (length < count && bytes[length] != (byte)c) {
        length++;
    }
    int found = length < count;
    plx_model_memcpy(to, from, length + (size_t)found);
    return found ? (char *)to + length + 1 : NULL;
}

void plx_model_swab(const void *from, void *to, ssize_t count) {
    count = PLX_PINNED(count, PLX_PIN_SIZE) & ~(ssize_t)1;
    const byte *source = from;
    byte *target = to;
    for (; count > 0; count -= 2) {
        byte last = source[count - 1], before = source[count - 2];
        target[count - 2] = last;
        target[count - 1] = before;
    }
}

size_t plx_model_strxfrm(char *to, const char *from, size_t count) {
    size_t length = plx_model_strlen(from);
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    if (count > 0) {
        plx_model_memcpy(to, from, length < count ? length + 1 : count);
    }
    return length;
}

// Copies on the heap.

static char *text_of(const char *from, size_t length) {
    char *to = malloc(length + 1);
    if (to) {
        plx_object_born(to, length + 1);
        plx_model_memcpy(to, from, length);
        to[length] = '\0';
    }
    return to;
}

char *plx_model_strdup(const char *s) { return text_of(s, plx_model_strlen(s)); }
PLX_ALIAS(__strdup, strdup);

char *plx_model_strndup(const char *s, size_t limit) {
    return text_of(s, plx_model_strnlen(s, limit));
}
PLX_ALIAS(__strndup, strndup);

// Comparisons.

// Whether a comparison of strings is over at these two bytes. A concrete one makes it a simpler
// question: the end of one string is the end of the comparison, whatever the other has there.
static int stops(unsigned x, unsigned y) {
    if (PLX_IS_CONCRETE(y)) {
        return y == 0 ? 1 : x != y;
    }
    if (PLX_IS_CONCRETE(x)) {
        return x == 0 ? 1 : x != y;
    }
    return (x != y) | (x == 0);
}

// The comparison as a whole, of strings up to and with their ends or of their first `limit` bytes.
static void offer_strings(const char *one, const char *other, size_t limit, int result,
                          int ignore_case) {
    size_t one_length = strnlen(one, limit), other_length = strnlen(other, limit);
    one_length += one_length < limit;
    other_length += other_length < limit;
    if (one_length <= PLX_COMPARE_LIMIT && other_length <= PLX_COMPARE_LIMIT) {
        plx_compare(one, one_length, other, other_length, result, ignore_case);
    }
}

// How far two strings (or their first `limit` bytes) can be compared by the real function because
// the bytes that decide are concrete: at once the answer if that is all of it.
static int compare_natively(const char *one, const char *other, size_t limit, int ignore_case,
                            size_t *done, int *result) {
    *done = 0;
    if (!PLX_IS_CONCRETE(one) || !PLX_IS_CONCRETE(other) || !PLX_IS_CONCRETE(limit)) {
        return 0;
    }
    while (*done < limit) {
        const char *left = one + *done, *right = other + *done;
        size_t chunk = limit - *done < 64 ? limit - *done : 64;
        size_t length = strnlen(right, strnlen(left, chunk));
        size_t looked_at = length < chunk ? length + 1 : chunk;
        if (!plx_is_clean(left, looked_at) || !plx_is_clean(right, looked_at)) {
            return 0;
        }
        *result = ignore_case ? strncasecmp(left, right, looked_at)
                              : strncmp(left, right, looked_at);
        if (*result != 0 || length < chunk) {
            return 1;
        }
        *done += chunk;
    }
    *result = 0;
    return 1;
}

static int compare_strings(const char *one, const char *other, size_t limit, int ignore_case) {
    size_t at;
    int result = 0;
    if (compare_natively(one, other, limit, ignore_case, &at, &result)) {
        return result;
    }
    for (; at < limit; at++) {
        unsigned x = (byte)one[at], y = (byte)other[at];
        if (ignore_case) {
            x = (unsigned)plx_to_lower((int)x);
            y = (unsigned)plx_to_lower((int)y);
        }
        if (stops(x, y)) {
            result = (int)(x - y);
            break;
        }
    }
    offer_strings(one, other, plx_with_label(limit, 0), plx_with_label((unsigned)result, 0) == 0,
                  ignore_case);
    return result;
}

int plx_model_strcmp(const char *one, const char *other) {
    return compare_strings(one, other, SIZE_MAX, 0);
}

int plx_model_strncmp(const char *one, const char *other, size_t limit) {
    return compare_strings(one, other, limit, 0);
}

int plx_model_strcasecmp(const char *one, const char *other) {
    return compare_strings(one, other, SIZE_MAX, 1);
}

int plx_model_strncasecmp(const char *one, const char *other, size_t limit) {
    return compare_strings(one, other, limit, 1);
}

int plx_model_strcoll(const char *one, const char *other) {
    if (PLX_IS_CONCRETE(one) && PLX_IS_CONCRETE(other) && plx_is_clean(one, strlen(one) + 1) &&
        plx_is_clean(other, strlen(other) + 1)) {
        return strcoll(one, other);
    }
    return compare_strings(one, other, SIZE_MAX, 0);
}

int plx_model_memcmp(const void *one, const void *other, size_t count) {
    if (PLX_IS_CONCRETE(one) && PLX_IS_CONCRETE(other) && PLX_IS_CONCRETE(count) &&
        plx_is_clean(one, count) && plx_is_clean(other, count)) {
        return memcmp(one, other, count);
    }
    const byte *left = one, *right = other;
    int result = 0;
    for (size_t at = 0; at < count; at++) {
        int x = left[at], y = right[at];
        if (x != y) {
            result = x - y;
            break;
        }
    }
    size_t extent = plx_with_label(count, 0);
    if (extent <= PLX_COMPARE_LIMIT) {
        plx_compare(one, extent, other, extent, plx_with_label((unsigned)result, 0) == 0, 0);
    }
    return result;
}
PLX_ALIAS(bcmp, memcmp);

// Versions: numbers in strings compare by value, those that start with 0 like digits behind a
// decimal point. Where in a number the first difference lies decides.
enum place { IN_TEXT, IN_INTEGER, IN_FRACTION, IN_ZEROS };

static enum place after(enum place place, int c) {
    if (!plx_is_digit(c)) {
        return IN_TEXT;
    }
    if (place == IN_TEXT) {
        return c == '0' ? IN_ZEROS : IN_INTEGER;
    }
    return place == IN_ZEROS && c != '0' ? IN_FRACTION : place;
}

// Both go on with digits that differ: the longer number is the greater one.
static int compare_lengths(const char *one, const char *other, int difference) {
    for (;; one++, other++) {
        int left = plx_is_digit((byte)*one), right = plx_is_digit((byte)*other);
        if (!left || !right) {
            return left ? 1 : right ? -1 : difference;
        }
    }
}

static int compare_versions_at(const char *one, const char *other, enum place place) {
    int x = (byte)*one, y = (byte)*other;
    int left = plx_is_digit(x), right = plx_is_digit(y);
    if (place == IN_TEXT && left && right && x != '0' && y != '0') {
        return compare_lengths(one, other, x - y);
    }
    if (place == IN_INTEGER && (left | right)) {
        return compare_lengths(one, other, x - y);
    }
    if (place == IN_ZEROS && left != right) {
        return left ? -1 : 1;
    }
    return x - y;
}

int plx_model_strverscmp(const char *one, const char *other) {
    size_t one_length = strlen(one), other_length = strlen(other);
    if (PLX_IS_CONCRETE(one) && PLX_IS_CONCRETE(other) && plx_is_clean(one, one_length + 1) &&
        plx_is_clean(other, other_length + 1)) {
        return strverscmp(one, other);
    }
    enum place place = IN_TEXT;
    for (; !stops((byte)*one, (byte)*other); one++, other++) {
        place = after(place, (byte)*one);
    }
    return compare_versions_at(one, other, place);
}

// Searches for a byte.

char *plx_model_strchrnul(const char *s, int c) {
    if (PLX_IS_CONCRETE(s) && PLX_IS_CONCRETE((byte)c)) {
        char *found = strchrnul(s, c);
        if (plx_is_clean(s, (size_t)(found - s) + 1)) {
            return found;
        }
    }
    while (!((*s == (char)c) | (*s == '\0'))) {
        s++;
    }
    return (char *)s;
}

char *plx_model_strchr(const char *s, int c) {
    char *found = plx_model_strchrnul(s, c);
    return *found == (char)c ? found : NULL;
}
PLX_ALIAS(index, strchr);

// From the end backwards: nothing is asked of what lies before the last one.
static void *last_of(const void *start, int c, size_t count) {
    const byte *bytes = start;
    while (count > 0) {
        count--;
        if (bytes[count] == (byte)c) {
            return (void *)(bytes + count);
        }
    }
    return NULL;
}

void *plx_model_memrchr(const void *start, int c, size_t count) {
    if (PLX_IS_CONCRETE(start) && PLX_IS_CONCRETE((byte)c) && PLX_IS_CONCRETE(count)) {
        byte *found = memrchr(start, c, count);
        const byte *from = found ? found : start;
        if (plx_is_clean(from, count - (size_t)(from - (const byte *)start))) {
            return found;
        }
    }
    return last_of(start, c, PLX_PINNED(count, PLX_PIN_SIZE));
}

char *plx_model_strrchr(const char *s, int c) {
    return plx_model_memrchr(s, c, plx_model_strlen(s) + 1);
}
PLX_ALIAS(rindex, strrchr);

void *plx_model_memchr(const void *start, int c, size_t count) {
    const byte *bytes = start;
    if (PLX_IS_CONCRETE(start) && PLX_IS_CONCRETE((byte)c) && PLX_IS_CONCRETE(count)) {
        const byte *found = memchr(start, c, count);
        if (plx_is_clean(start, found ? (size_t)(found - bytes) + 1 : count)) {
            return (void *)found;
        }
    }
    for (size_t at = 0; at < count; at++) {
        if (bytes[at] == (byte)c) {
            return (void *)(bytes + at);
        }
    }
    return NULL;
}

void *plx_model_rawmemchr(const void *start, int c) {
    return plx_model_memchr(start, c, SIZE_MAX);
}
PLX_ALIAS(__rawmemchr, rawmemchr);

// Searches for a text: at each place it either is there or not.

static void *find_bytes(const char *in, size_t in_length, const char *what, size_t length,
                        int ignore_case) {
    for (size_t at = 0; at + length <= in_length; at++) {
        if (plx_same_bytes(in + at, what, length, ignore_case)) {
            return (void *)(in + at);
        }
    }
    return NULL;
}

static char *find_text(const char *in, const char *what, int ignore_case) {
    size_t length = plx_model_strlen(what);
    size_t in_length = plx_model_strlen(in);
    char *found = find_bytes(in, in_length, what, length, ignore_case);
    if (!found && in_length < PLX_COMPARE_LIMIT && length < PLX_COMPARE_LIMIT) {
        plx_compare(in, in_length + 1, what, length + 1, 0, ignore_case);
    }
    return found;
}

static int is_clean_text(const char *s) {
    return PLX_IS_CONCRETE(s) && plx_is_clean(s, strlen(s) + 1);
}

char *plx_model_strstr(const char *in, const char *what) {
    if (is_clean_text(in) && is_clean_text(what)) {
        return strstr(in, what);
    }
    return find_text(in, what, 0);
}

char *plx_model_strcasestr(const char *in, const char *what) {
    if (is_clean_text(in) && is_clean_text(what)) {
        return strcasestr(in, what);
    }
    return find_text(in, what, 1);
}

void *plx_model_memmem(const void *in, size_t in_length, const void *what, size_t length) {
    in_length = PLX_PINNED(in_length, PLX_PIN_SIZE);
    length = PLX_PINNED(length, PLX_PIN_SIZE);
    if (PLX_IS_CONCRETE(in) && PLX_IS_CONCRETE(what) && plx_is_clean(in, in_length) &&
        plx_is_clean(what, length)) {
        return memmem(in, in_length, what, length);
    }
    return find_bytes(in, in_length, what, length, 0);
}

// Sets of bytes.

// Whether `c` is one of the set's bytes.
static int is_member(char c, const char *set, size_t count) {
    int member = 0;
    for (size_t at = 0; at < count; at++) {
        member |= c == set[at];
    }
    return member;
}

size_t plx_model_strspn(const char *s, const char *set) {
    if (is_clean_text(set) && PLX_IS_CONCRETE(s)) {
        size_t length = strspn(s, set);
        if (plx_is_clean(s, length + 1)) {
            return length;
        }
    }
    size_t length = 0, count = plx_model_strlen(set);
    while (is_member(s[length], set, count)) {
        length++;
    }
    return length;
}

size_t plx_model_strcspn(const char *s, const char *set) {
    if (is_clean_text(set) && PLX_IS_CONCRETE(s)) {
        size_t length = strcspn(s, set);
        if (plx_is_clean(s, length + 1)) {
            return length;
        }
    }
    // The set's own end is one of its members here: it ends the string.
    size_t length = 0, count = plx_model_strlen(set) + 1;
    while (!is_member(s[length], set, count)) {
        length++;
    }
    return length;
}

char *plx_model_strpbrk(const char *s, const char *set) {
    const char *found = s + plx_model_strcspn(s, set);
    return *found ? (char *)found : NULL;
}

char *plx_model_strtok_r(char *s, const char *set, char **rest) {
    char *start = s ? s : *rest;
    start += plx_model_strspn(start, set);
    char *end = start + plx_model_strcspn(start, set);
    if (end == start) {
        *rest = end;
        return NULL;
    }
    if (*end != '\0') {
        *end++ = '\0';
    }
    *rest = end;
    return start;
}
PLX_ALIAS(__strtok_r, strtok_r);

char *plx_model_strtok(char *s, const char *set) {
    static char *rest;
    return plx_model_strtok_r(s, set, &rest);
}

char *plx_model_strsep(char **rest, const char *set) {
    char *start = *rest;
    if (!start) {
        return NULL;
    }
    char *end = start + plx_model_strcspn(start, set);
    if (*end != '\0') {
        *end = '\0';
        *rest = end + 1;
    } else {
        *rest = NULL;
    }
    return start;
}

// Bits.

int plx_model_ffs(int i) { return __builtin_ffs(i); }

int plx_model_ffsl(long i) { return __builtin_ffsl(i); }
PLX_ALIAS(ffsll, ffsl);

// What _FORTIFY_SOURCE makes of some of them: `room` is how much the target holds.

static void check_room(size_t count, size_t room) {
    if (count > room) {
        __chk_fail();
    }
}

void *plx_model___memmove_chk(void *to, const void *from, size_t count, size_t room) {
    check_room(count, room);
    return plx_model_memmove(to, from, count);
}
PLX_ALIAS(__memcpy_chk, __memmove_chk);

void *plx_model___mempcpy_chk(void *to, const void *from, size_t count, size_t room) {
    check_room(count, room);
    return plx_model_mempcpy(to, from, count);
}

void *plx_model___memset_chk(void *to, int c, size_t count, size_t room) {
    check_room(count, room);
    return plx_model_memset(to, c, count);
}

void plx_model___explicit_bzero_chk(void *to, size_t count, size_t room) {
    check_room(count, room);
    plx_model_bzero(to, count);
}

char *plx_model___stpcpy_chk(char *to, const char *from, size_t room) {
    size_t length = plx_model_strlen(from);
    check_room(length + 1, room);
    plx_model_memcpy(to, from, length + 1);
    return to + length;
}

char *plx_model___strcpy_chk(char *to, const char *from, size_t room) {
    plx_model___stpcpy_chk(to, from, room);
    return to;
}

char *plx_model___stpncpy_chk(char *to, const char *from, size_t count, size_t room) {
    check_room(count, room);
    return plx_model_stpncpy(to, from, count);
}

char *plx_model___strncpy_chk(char *to, const char *from, size_t count, size_t room) {
    check_room(count, room);
    return plx_model_strncpy(to, from, count);
}

// The string that is there may not fill its memory already, so its end is looked for within it.
static char *end_within(char *to, size_t room) {
    size_t length = plx_model_strnlen(to, room);
    check_room(length + 1, room);
    return to + length;
}

char *plx_model___strcat_chk(char *to, const char *from, size_t room) {
    char *end = end_within(to, room);
    plx_model___stpcpy_chk(end, from, room - (size_t)(end - to));
    return to;
}

char *plx_model___strncat_chk(char *to, const char *from, size_t count, size_t room) {
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    char *end = end_within(to, room);
    size_t length = plx_model_strnlen(from, count);
    check_room(length + 1, room - (size_t)(end - to));
    plx_model_memcpy(end, from, length);
    end[length] = '\0';
    return to;
}
