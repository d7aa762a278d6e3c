// Models of the printf family that print to memory, and what format.h offers to the others.
//
// Decision: an integer that is symbolic becomes digits that are expressions over it. How many there
// are shapes the text, so that is decided on the path, by two conditions (not fewer digits, not
// more) and not by one for each digit; zeros that pad a number save even those. Texts are copied
// with their labels. A symbolic floating value is printed natively and counted.
#define _GNU_SOURCE
#include "format.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctype_classes.h"
#include "string_parts.h"

extern void __chk_fail(void) __attribute__((noreturn));
extern char *plx_model_strchrnul(const char *, int);

// Formats.

static const char *read_flags(const char *at, struct plx_conversion *out) {
    for (;; at++) {
        switch (*at) {
        case '-':
            out->left = 1;
            break;
        case '+':
            out->plus = 1;
            break;
        case ' ':
            out->space = 1;
            break;
        case '#':
            out->alternate = 1;
            break;
        case '0':
            out->zero = 1;
            break;
        case '\'':
            out->group = 1;
            break;
        case 'I':
            break;
        default:
            return at;
        }
    }
}

// A number or '*'. One that is too great for an int is none that printf accepts.
static const char *read_count(const char *at, struct plx_conversion *out, int *count) {
    if (*at == '*') {
        *count = PLX_IN_ARGUMENT;
        at++;
        while (plx_is_digit(*at)) {
            out->numbered = 1;
            at++;
        }
        return *at == '$' ? at + 1 : at;
    }
    long value = 0;
    int any = 0;
    for (; plx_is_digit(*at); at++) {
        any = 1;
        value = value < INT_MAX ? value * 10 + (*at - '0') : value;
    }
    *count = !any ? PLX_ABSENT : value < INT_MAX ? (int)value : INT_MAX;
    return at;
}

static const char *read_modifier(const char *at, struct plx_conversion *out) {
    switch (*at) {
    case 'h':
        out->modifier = at[1] == 'h' ? PLX_MODIFIER_CHAR : PLX_MODIFIER_SHORT;
        return at[1] == 'h' ? at + 2 : at + 1;
    case 'l':
        out->modifier = PLX_MODIFIER_LONG;
        return at[1] == 'l' ? at + 2 : at + 1;
    case 'q':
    case 'j':
    case 'z':
    case 'Z':
    case 't':
        out->modifier = PLX_MODIFIER_LONG;
        return at + 1;
    case 'L':
        out->modifier = PLX_MODIFIER_LONG_DOUBLE;
        return at + 1;
    default:
        return at;
    }
}

const char *plx_next_conversion(const char *format, struct plx_conversion *out) {
    const char *at = plx_model_strchrnul(format, '%');
    *out = (struct plx_conversion){0};
    out->start = at;
    out->width = out->precision = PLX_ABSENT;
    if (*at == '\0') {
        return NULL;
    }
    at = read_count(read_flags(at + 1, out), out, &out->width);
    if (*at == '$') {
        out->numbered = 1;
        at = read_count(read_flags(at + 1, out), out, &out->width);
    }
    if (*at == '.') {
        at = read_count(at + 1, out, &out->precision);
        out->precision = out->precision == PLX_ABSENT ? 0 : out->precision;
    }
    at = read_modifier(at, out);
    int too_great = out->width == INT_MAX || out->precision == INT_MAX;
    out->specifier = too_great ? '\0' : *at;
    at += *at != '\0';
    out->length = (size_t)(at - out->start);
    return at;
}

// Arguments.

enum plx_argument_kind plx_argument_kind(const struct plx_conversion *conversion) {
    if (conversion->numbered) {
        return PLX_ARGUMENT_UNKNOWN;
    }
    switch (conversion->specifier) {
    case 'd':
    case 'i':
        return PLX_ARGUMENT_SIGNED;
    case 'b':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        return PLX_ARGUMENT_UNSIGNED;
    case 'c':
        return conversion->modifier == PLX_MODIFIER_LONG ? PLX_ARGUMENT_UNKNOWN
                                                         : PLX_ARGUMENT_UNSIGNED;
    case 's':
        return conversion->modifier == PLX_MODIFIER_LONG ? PLX_ARGUMENT_UNKNOWN
                                                         : PLX_ARGUMENT_POINTER;
    case 'p':
    case 'n':
        return PLX_ARGUMENT_POINTER;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return conversion->modifier == PLX_MODIFIER_LONG_DOUBLE ? PLX_ARGUMENT_LONG_DOUBLE
                                                                : PLX_ARGUMENT_DOUBLE;
    case 'm':
    case '%':
        return PLX_ARGUMENT_NONE;
    default:
        return PLX_ARGUMENT_UNKNOWN;
    }
}

static uint64_t take_signed(const struct plx_conversion *conversion, struct plx_arguments *from) {
    switch (conversion->modifier) {
    case PLX_MODIFIER_LONG:
    case PLX_MODIFIER_LONG_DOUBLE:
        return va_arg(from->list, uint64_t);
    case PLX_MODIFIER_CHAR:
        return (uint64_t)(signed char)va_arg(from->list, int);
    case PLX_MODIFIER_SHORT:
        return (uint64_t)(short)va_arg(from->list, int);
    default:
        return (uint64_t)va_arg(from->list, int);
    }
}

static uint64_t take_unsigned(const struct plx_conversion *conversion, struct plx_arguments *from) {
    if (conversion->specifier == 'c') {
        return (unsigned char)va_arg(from->list, int);
    }
    switch (conversion->modifier) {
    case PLX_MODIFIER_LONG:
    case PLX_MODIFIER_LONG_DOUBLE:
        return va_arg(from->list, uint64_t);
    case PLX_MODIFIER_CHAR:
        return (unsigned char)va_arg(from->list, unsigned);
    case PLX_MODIFIER_SHORT:
        return (unsigned short)va_arg(from->list, unsigned);
    default:
        return va_arg(from->list, unsigned);
    }
}

static int take_count(struct plx_arguments *from) {
    int count = va_arg(from->list, int);
    return PLX_PINNED(count, PLX_PIN_SIZE);
}

void plx_take_argument(struct plx_conversion *conversion, struct plx_arguments *from,
                       struct plx_argument *out) {
    if (conversion->width == PLX_IN_ARGUMENT) {
        int width = take_count(from);
        conversion->left |= width < 0;
        conversion->width = width < 0 ? -width : width;
    }
    if (conversion->precision == PLX_IN_ARGUMENT) {
        int precision = take_count(from);
        conversion->precision = precision < 0 ? PLX_ABSENT : precision;
    }
    out->kind = plx_argument_kind(conversion);
    switch (out->kind) {
    case PLX_ARGUMENT_SIGNED:
        out->integer = take_signed(conversion, from);
        break;
    case PLX_ARGUMENT_UNSIGNED:
        out->integer = take_unsigned(conversion, from);
        break;
    case PLX_ARGUMENT_POINTER:
        out->pointer = va_arg(from->list, void *);
        break;
    case PLX_ARGUMENT_DOUBLE:
        out->real = va_arg(from->list, double);
        break;
    case PLX_ARGUMENT_LONG_DOUBLE:
        out->long_real = va_arg(from->list, long double);
        break;
    default:
        break;
    }
}

// Whether the bytes that %s prints have labels. Its end counts if that is where it stops.
static int text_has_label(const char *text, int precision) {
    if (!PLX_IS_CONCRETE(text)) {
        return 1;
    }
    if (!text) {
        return 0;
    }
    size_t limit = precision < 0 ? SIZE_MAX : (size_t)precision;
    size_t length = strnlen(text, limit);
    return !plx_is_clean(text, length < limit ? length + 1 : length);
}

int plx_argument_has_label(const struct plx_conversion *conversion,
                           const struct plx_argument *argument) {
    switch (argument->kind) {
    case PLX_ARGUMENT_SIGNED:
    case PLX_ARGUMENT_UNSIGNED:
        return !PLX_IS_CONCRETE(argument->integer);
    case PLX_ARGUMENT_POINTER:
        return conversion->specifier == 's' ? text_has_label(argument->pointer,
                                                             conversion->precision)
                                            : !PLX_IS_CONCRETE(argument->pointer);
    case PLX_ARGUMENT_DOUBLE:
        return !plx_is_clean(&argument->real, sizeof argument->real);
    case PLX_ARGUMENT_LONG_DOUBLE:
        return !plx_is_clean(&argument->long_real, 10);
    default:
        return 0;
    }
}

enum plx_format_kind plx_examine_format(const char *format, va_list arguments) {
    int symbolic = !PLX_IS_CONCRETE(format) || !plx_is_clean(format, strlen(format) + 1);
    struct plx_arguments list;
    va_copy(list.list, arguments);
    enum plx_format_kind kind = PLX_FORMAT_CONCRETE;
    struct plx_conversion conversion;
    while ((format = plx_next_conversion(format, &conversion)) != NULL) {
        if (plx_argument_kind(&conversion) == PLX_ARGUMENT_UNKNOWN) {
            kind = PLX_FORMAT_OPAQUE;
            break;
        }
        // Where an object is differs from run to run.
        if (conversion.specifier == 'p' && plx_in_proof()) plx_count(PLX_COUNTER_ADDRESS, NULL);
        struct plx_argument argument;
        plx_take_argument(&conversion, &list, &argument);
        symbolic |= conversion.specifier == 'n' || plx_argument_has_label(&conversion, &argument);
    }
    va_end(list.list);
    return kind == PLX_FORMAT_CONCRETE && symbolic ? PLX_FORMAT_SYMBOLIC : kind;
}

// Text that grows to a length, of which only what fits is kept.
struct sink {
    char *to;
    size_t room;
    size_t length;
};

static size_t room_left(const struct sink *sink) {
    return sink->length < sink->room ? sink->room - sink->length : 0;
}

static void put(struct sink *sink, char c) {
    if (sink->length < sink->room) {
        sink->to[sink->length] = c;
    }
    sink->length++;
}

static void put_bytes(struct sink *sink, const char *from, size_t count) {
    size_t room = room_left(sink);
    if (room > 0) {
        plx_model_memcpy(sink->to + sink->length, from, count < room ? count : room);
    }
    sink->length += count;
}

static void put_padding(struct sink *sink, char c, size_t count) {
    size_t room = room_left(sink);
    if (room > 0) {
        plx_model_memset(sink->to + sink->length, c, count < room ? count : room);
    }
    sink->length += count;
}

static size_t padding(const struct plx_conversion *conversion, size_t length) {
    return conversion->width > 0 && (size_t)conversion->width > length
               ? (size_t)conversion->width - length
               : 0;
}

static void put_padded(struct sink *sink, const struct plx_conversion *conversion,
                       const char *from, size_t count) {
    size_t fill = padding(conversion, count);
    put_padding(sink, ' ', conversion->left ? 0 : fill);
    put_bytes(sink, from, count);
    put_padding(sink, ' ', conversion->left ? fill : 0);
}

// Integers.

struct integer {
    uint64_t magnitude;
    int narrow; // whether 32 bits hold it: then that is how it is computed with
    unsigned base;
    unsigned shift; // bits of a digit, if the base is a power of two
    int capital;
};

static const uint64_t powers[20] = {1ull,
                                    10ull,
                                    100ull,
                                    1000ull,
                                    10000ull,
                                    100000ull,
                                    1000000ull,
                                    10000000ull,
                                    100000000ull,
                                    1000000000ull,
                                    10000000000ull,
                                    100000000000ull,
                                    1000000000000ull,
                                    10000000000000ull,
                                    100000000000000ull,
                                    1000000000000000ull,
                                    10000000000000000ull,
                                    100000000000000000ull,
                                    1000000000000000000ull,
                                    10000000000000000000ull};

// Whether so many digits are enough for all values.
static int always_fits(const struct integer *integer, size_t digits) {
    if (integer->shift) {
        return digits * integer->shift >= (integer->narrow ? 32 : 64);
    }
    return digits >= (integer->narrow ? 10 : 20);
}

// Whether so many digits are enough for this value.
static int fits(const struct integer *integer, size_t digits) {
    if (always_fits(integer, digits)) {
        return 1;
    }
    if (integer->shift) {
        unsigned shift = (unsigned)digits * integer->shift;
        return integer->narrow ? (uint32_t)integer->magnitude >> shift == 0
                               : integer->magnitude >> shift == 0;
    }
    return integer->narrow ? (uint32_t)integer->magnitude < (uint32_t)powers[digits]
                           : integer->magnitude < powers[digits];
}

// The digits of the value that it has in this run, at least one.
static size_t count_digits(const struct integer *integer) {
    size_t count = 1;
    for (uint64_t rest = plx_with_label(integer->magnitude, 0); rest >= integer->base; count++) {
        rest /= integer->base;
    }
    return count;
}

// The digit with `below` digits behind it.
static char digit(const struct integer *integer, size_t below) {
    if (always_fits(integer, below)) {
        return '0';
    }
    if (!integer->shift) {
        return integer->narrow
                   ? (char)('0' + (uint32_t)integer->magnitude / (uint32_t)powers[below] % 10)
                   : (char)('0' + integer->magnitude / powers[below] % 10);
    }
    unsigned shift = (unsigned)below * integer->shift;
    uint32_t value = (integer->narrow ? (uint32_t)integer->magnitude >> shift
                                      : (uint32_t)(integer->magnitude >> shift)) &
                     (integer->base - 1);
    uint32_t letter = value > 9;
    return (char)('0' + value + letter * (integer->capital ? 7 : 39));
}

static void set_base(struct integer *integer, char specifier) {
    integer->base = 10;
    integer->shift = 0;
    switch (specifier) {
    case 'X':
        integer->capital = 1;
        // Fall through.
    case 'x':
    case 'p':
        integer->base = 16;
        integer->shift = 4;
        break;
    case 'o':
        integer->base = 8;
        integer->shift = 3;
        break;
    case 'b':
        integer->base = 2;
        integer->shift = 1;
        break;
    default:
        break;
    }
}

// Sign and prefix, in front of the digits.
static size_t make_prefix(const struct plx_conversion *conversion, const struct integer *integer,
                          int negative, char *prefix) {
    size_t length = 0;
    char specifier = conversion->specifier;
    int shows_sign = specifier == 'd' || specifier == 'i' || specifier == 'p';
    if (negative) {
        prefix[length++] = '-';
    } else if (shows_sign && conversion->plus) {
        prefix[length++] = '+';
    } else if (shows_sign && conversion->space) {
        prefix[length++] = ' ';
    }
    int marked = conversion->alternate && (integer->shift == 4 || integer->shift == 1);
    if ((marked || specifier == 'p') && integer->magnitude != 0) {
        prefix[length++] = '0';
        prefix[length++] = specifier == 'p' ? 'x' : specifier;
    }
    return length;
}

// How many digits are printed, zeros in front included, if at least `least` are asked for.
static size_t decide_digits(const struct plx_conversion *conversion, const struct integer *integer,
                            size_t least) {
    int octal = conversion->alternate && integer->shift == 3;
    if (least == 0 && integer->magnitude == 0) {
        return (size_t)octal;
    }
    size_t digits = count_digits(integer);
    if (digits <= least && !octal && fits(integer, least)) {
        return least;
    }
    int exactly = fits(integer, digits) && (digits == 1 || !fits(integer, digits - 1));
    size_t zero = octal && exactly && digits >= least && integer->magnitude != 0;
    return (digits > least ? digits : least) + zero;
}

static void put_integer(struct sink *sink, const struct plx_conversion *conversion,
                        struct integer *integer, int negative) {
    char prefix[3];
    set_base(integer, conversion->specifier);
    size_t prefixed = make_prefix(conversion, integer, negative, prefix);
    size_t least = 1;
    if (conversion->precision >= 0) {
        least = (size_t)conversion->precision;
    } else if (conversion->zero && !conversion->left) {
        size_t fill = padding(conversion, prefixed);
        least = fill > 1 ? fill : 1;
    }
    size_t digits = decide_digits(conversion, integer, least);
    size_t fill = padding(conversion, prefixed + digits);
    put_padding(sink, ' ', conversion->left ? 0 : fill);
    put_bytes(sink, prefix, prefixed);
    for (; digits > 0 && always_fits(integer, digits - 1) && room_left(sink) > 0; digits--) {
        put(sink, '0');
    }
    for (; digits > 0 && room_left(sink) > 0; digits--) {
        put(sink, digit(integer, digits - 1));
    }
    sink->length += digits;
    put_padding(sink, ' ', conversion->left ? fill : 0);
}

static void put_signed(struct sink *sink, const struct plx_conversion *conversion, uint64_t value) {
    struct integer integer = {.magnitude = value};
    integer.narrow = conversion->modifier < PLX_MODIFIER_LONG;
    int negative = integer.narrow ? (int32_t)value < 0 : (int64_t)value < 0;
    if (negative) {
        integer.magnitude = integer.narrow ? (uint64_t)(0 - (uint32_t)value) : 0 - value;
    } else if (integer.narrow) {
        integer.magnitude = (uint32_t)value;
    }
    put_integer(sink, conversion, &integer, negative);
}

static void put_unsigned(struct sink *sink, const struct plx_conversion *conversion,
                         uint64_t value) {
    struct integer integer = {.magnitude = value};
    integer.narrow = conversion->modifier < PLX_MODIFIER_LONG;
    put_integer(sink, conversion, &integer, 0);
}

// Texts.

static void put_text(struct sink *sink, const struct plx_conversion *conversion, const char *text) {
    int precision = conversion->precision;
    if (!text) {
        text = precision < 0 || precision >= 6 ? "(null)" : "";
    }
    size_t length = precision < 0 ? plx_model_strlen(text)
                                  : plx_model_strnlen(text, (size_t)precision);
    put_padded(sink, conversion, text, length);
}

static void put_pointer(struct sink *sink, const struct plx_conversion *conversion,
                        const void *pointer) {
    if (!pointer) {
        put_padded(sink, conversion, "(nil)", 5);
        return;
    }
    struct integer integer = {.magnitude = (uint64_t)pointer};
    put_integer(sink, conversion, &integer, 0);
}

static void store_count(const struct plx_conversion *conversion, void *to, size_t count) {
    switch (conversion->modifier) {
    case PLX_MODIFIER_CHAR:
        *(signed char *)to = (signed char)count;
        break;
    case PLX_MODIFIER_SHORT:
        *(short *)to = (short)count;
        break;
    case PLX_MODIFIER_NONE:
        *(int *)to = (int)count;
        break;
    default:
        *(long *)to = (long)count;
        break;
    }
}

// Conversions that only the real function knows.

// The conversion with '*' for width and precision.
static void spell(const struct plx_conversion *conversion, char *to) {
    *to++ = '%';
    const char flags[] = {conversion->left ? '-' : 0, conversion->plus ? '+' : 0,
                          conversion->space ? ' ' : 0, conversion->alternate ? '#' : 0,
                          conversion->zero ? '0' : 0};
    for (size_t at = 0; at < sizeof flags; at++) {
        if (flags[at]) {
            *to++ = flags[at];
        }
    }
    to = stpcpy(to, "*.*");
    if (conversion->modifier == PLX_MODIFIER_LONG_DOUBLE) {
        *to++ = 'L';
    }
    *to++ = conversion->specifier;
    *to = '\0';
}

static int print_natively(char *to, size_t room, const struct plx_conversion *conversion,
                          const struct plx_argument *argument) {
    char spelled[16];
    spell(conversion, spelled);
    int width = conversion->width < 0 ? 0 : conversion->width, precision = conversion->precision;
    switch (argument->kind) {
    case PLX_ARGUMENT_DOUBLE:
        return snprintf(to, room, spelled, width, precision, argument->real);
    case PLX_ARGUMENT_LONG_DOUBLE:
        return snprintf(to, room, spelled, width, precision, argument->long_real);
    default:
        return snprintf(to, room, spelled, width, precision);
    }
}

static void put_natively(struct sink *sink, const struct plx_conversion *conversion,
                         const struct plx_argument *argument) {
    if (plx_argument_has_label(conversion, argument)) {
        plx_count(PLX_COUNTER_CONVERSION, NULL);
    }
    int length = print_natively(NULL, 0, conversion, argument);
    char *text = length < 0 ? NULL : plx_own_memory((size_t)length + 1);
    if (text) {
        print_natively(text, (size_t)length + 1, conversion, argument);
        put_bytes(sink, text, (size_t)length);
    }
    plx_give_back(text);
}

size_t plx_format_one(char *to, size_t room, const struct plx_conversion *conversion,
                      const struct plx_argument *argument, size_t so_far) {
    struct sink sink = {to, room, 0};
    char c;
    switch (conversion->specifier) {
    case '%':
        put(&sink, '%');
        break;
    case 'd':
    case 'i':
        put_signed(&sink, conversion, argument->integer);
        break;
    case 'b':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        put_unsigned(&sink, conversion, argument->integer);
        break;
    case 'c':
        c = (char)argument->integer;
        put_padded(&sink, conversion, &c, 1);
        break;
    case 's':
        put_text(&sink, conversion, argument->pointer);
        break;
    case 'p':
        put_pointer(&sink, conversion, argument->pointer);
        break;
    case 'n':
        store_count(conversion, argument->pointer, so_far);
        break;
    default:
        put_natively(&sink, conversion, argument);
        break;
    }
    return sink.length;
}

// Whole formats.

// Whether a text is being overwritten that starts before `to`.
static int runs_into(const char *text, const char *to) {
    size_t distance = (size_t)(to - text);
    return text <= to && distance < 4096 && strnlen(text, distance) == distance;
}

// Prints what fits and returns the length of all, or -1 if no int holds it. A text that is printed into
// itself is what the library makes of it: no part of a proof.
static int walk(char *to, size_t room, const char *format, va_list arguments) {
    struct plx_arguments list;
    va_copy(list.list, arguments);
    struct sink sink = {to, room > 0 ? room - 1 : 0, 0};
    const char *nearest = NULL;
    int overlaps = 0;
    for (const char *next; sink.length <= INT_MAX; format = next) {
        struct plx_conversion conversion;
        struct plx_argument argument;
        next = plx_next_conversion(format, &conversion);
        put_bytes(&sink, format, (size_t)(conversion.start - format));
        if (!next) {
            break;
        }
        plx_take_argument(&conversion, &list, &argument);
        const char *text = conversion.specifier == 's' ? argument.pointer : NULL;
        if (text && text >= to && (!nearest || text < nearest)) nearest = text;
        overlaps |= text && runs_into(text, to);
        size_t left = room_left(&sink);
        sink.length += plx_format_one(left ? to + sink.length : NULL, left, &conversion, &argument,
                                      sink.length);
    }
    va_end(list.list);
    overlaps |= nearest && (size_t)(nearest - to) <= sink.length;
    if (overlaps && room > 0 && plx_in_proof()) {
        plx_count(PLX_COUNTER_ROUTE, "a text that is printed into itself");
    }
    if (room > 0) {
        to[sink.length < room ? sink.length : room - 1] = '\0';
    }
    if (sink.length > INT_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    return (int)sink.length;
}

// Has the real function print into memory, which then has no labels.
static int print_clean(char *to, size_t room, const char *format, va_list arguments) {
    int length = vsnprintf(to, room, format, arguments);
    if (room > 0) {
        plx_clear(to, length >= 0 && (size_t)length < room ? (size_t)length + 1
                      : length >= 0                        ? room
                                                           : strnlen(to, room));
    }
    return length;
}

static enum plx_format_kind examine(const char *format, va_list arguments) {
    va_list look;
    va_copy(look, arguments);
    enum plx_format_kind kind = plx_examine_format(format, look);
    va_end(look);
    if (kind == PLX_FORMAT_OPAQUE) {
        plx_count(PLX_COUNTER_CONVERSION, NULL);
    }
    return kind;
}

// `room` may be SIZE_MAX for memory of unknown bounds.
static int print_to_memory(char *to, size_t room, const char *format, va_list arguments) {
    to = PLX_PINNED(to, PLX_PIN_ADDRESS);
    room = PLX_PINNED(room, PLX_PIN_SIZE);
    if (examine(format, arguments) == PLX_FORMAT_SYMBOLIC) {
        return walk(to, room, format, arguments);
    }
    return print_clean(to, room, format, arguments);
}

// The text in memory of its own.
static int print_to_heap(char **out, const char *format, va_list arguments) {
    enum plx_format_kind kind = examine(format, arguments);
    va_list look;
    va_copy(look, arguments);
    int length = vsnprintf(NULL, 0, format, look);
    va_end(look);
    char *text = length < 0 ? NULL : plx_own_memory((size_t)length + 1);
    if (!text) {
        return -1;
    }
    if (kind == PLX_FORMAT_SYMBOLIC) {
        walk(text, (size_t)length + 1, format, arguments);
    } else {
        vsnprintf(text, (size_t)length + 1, format, arguments);
    }
    *out = text;
    return length;
}

char *plx_format_text(const char *format, va_list arguments, int *length) {
    char *text = NULL;
    *length = print_to_heap(&text, format, arguments);
    return text;
}

void plx_free_text(char *text) { plx_give_back(text); }

// The models. A list of arguments is started for each `...`, and handed on.

#define WITH_LIST(last, call)                                                                      \
    va_list arguments;                                                                             \
    va_start(arguments, last);                                                                     \
    int length = call;                                                                             \
    va_end(arguments);                                                                             \
    return length

int plx_model_vsnprintf(char *to, size_t room, const char *format, va_list arguments) {
    return print_to_memory(to, room, format, arguments);
}

int plx_model_snprintf(char *to, size_t room, const char *format, ...) {
    WITH_LIST(format, print_to_memory(to, room, format, arguments));
}

// What can be written at most: the real function counts as far as an int does.
#define UNKNOWN_ROOM ((size_t)INT_MAX + 1)

int plx_model_vsprintf(char *to, const char *format, va_list arguments) {
    return print_to_memory(to, UNKNOWN_ROOM, format, arguments);
}

int plx_model_sprintf(char *to, const char *format, ...) {
    WITH_LIST(format, print_to_memory(to, UNKNOWN_ROOM, format, arguments));
}

int plx_model_vasprintf(char **out, const char *format, va_list arguments) {
    return print_to_heap(out, format, arguments);
}

int plx_model_asprintf(char **out, const char *format, ...) {
    WITH_LIST(format, print_to_heap(out, format, arguments));
}

// What _FORTIFY_SOURCE makes of them: `holds` is how much the target does.

int plx_model___vsnprintf_chk(char *to, size_t room, int flag, size_t holds, const char *format,
                              va_list arguments) {
    (void)flag;
    if (room > holds) {
        __chk_fail();
    }
    return print_to_memory(to, room, format, arguments);
}

int plx_model___snprintf_chk(char *to, size_t room, int flag, size_t holds, const char *format,
                             ...) {
    WITH_LIST(format, plx_model___vsnprintf_chk(to, room, flag, holds, format, arguments));
}

int plx_model___vsprintf_chk(char *to, int flag, size_t holds, const char *format,
                             va_list arguments) {
    (void)flag;
    if (holds == 0) {
        __chk_fail();
    }
    int length = print_to_memory(to, holds > UNKNOWN_ROOM ? UNKNOWN_ROOM : holds, format,
                                 arguments);
    if (length >= 0 && (size_t)length >= holds) {
        __chk_fail();
    }
    return length;
}

int plx_model___sprintf_chk(char *to, int flag, size_t holds, const char *format, ...) {
    WITH_LIST(format, plx_model___vsprintf_chk(to, flag, holds, format, arguments));
}

int plx_model___vasprintf_chk(char **out, int flag, const char *format, va_list arguments) {
    (void)flag;
    return print_to_heap(out, format, arguments);
}

int plx_model___asprintf_chk(char **out, int flag, const char *format, ...) {
    (void)flag;
    WITH_LIST(format, print_to_heap(out, format, arguments));
}
