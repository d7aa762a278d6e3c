// Formats of the printf family, taken apart: shared by the models that print to memory (format.c)
// and those that print to files.
//
// Decision: a format is walked one conversion at a time and an argument is taken from a `va_list`
// when its conversion is reached, so that a value keeps its label from the caller's argument to
// whatever the model makes of it. What a walk cannot follow (numbered arguments, wide characters,
// unknown conversions) is known before the first argument is taken: see `plx_examine_format`.
//
// A model that prints to a file goes like this:
//
//     va_list look;
//     va_copy(look, arguments);
//     enum plx_format_kind kind = plx_examine_format(format, look);
//     va_end(look);
//     if (kind != PLX_FORMAT_SYMBOLIC) { ... the real function prints it, nothing has a label ... }
//     struct plx_arguments list;
//     va_copy(list.list, arguments);
//     struct plx_conversion conversion;
//     for (const char *at = format, *next; ; at = next) {
//         next = plx_next_conversion(at, &conversion);
//         ... the text from `at` to `conversion.start` is printed as it is ...
//         if (!next) break;
//         struct plx_argument argument;
//         plx_take_argument(&conversion, &list, &argument);
//         ...
//     }
//     va_end(list.list);
//
// or has the whole text made in memory, with labels, by `plx_format_text`.
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "model.h"

// Size of an argument, as the letters before the specifier say.
enum plx_modifier {
    PLX_MODIFIER_NONE,
    PLX_MODIFIER_CHAR,        // hh
    PLX_MODIFIER_SHORT,       // h
    PLX_MODIFIER_LONG,        // l, and all that are as long as it: ll, q, j, z, t
    PLX_MODIFIER_LONG_DOUBLE, // L before a floating conversion
};

// Where a width or precision comes from, if it is not a number of the format.
#define PLX_ABSENT (-1)
#define PLX_IN_ARGUMENT (-2)

struct plx_conversion {
    const char *start; // at '%'; at the end of the format if there is no conversion left
    size_t length;     // of all of it, from '%' to the specifier
    unsigned char left, plus, space, alternate, zero, group; // the flags - + space # 0 '
    unsigned char numbered; // an argument is numbered, as in %2$d: nothing but the text is right
    int width;              // PLX_ABSENT, PLX_IN_ARGUMENT or not negative
    int precision;          // the same
    enum plx_modifier modifier;
    char specifier; // 'd', 's', '%', ...; '\0' if the format ends within the conversion
};

// Finds the next conversion at or after `format` and returns where the format goes on behind it,
// or null if there is none. `%%` counts as a conversion.
extern const char *plx_next_conversion(const char *format, struct plx_conversion *out);

// A `va_list` that can be handed on by address.
struct plx_arguments {
    va_list list;
};

enum plx_argument_kind {
    PLX_ARGUMENT_NONE,        // %% and %m
    PLX_ARGUMENT_SIGNED,      // `integer`, sign extended to 64 bits
    PLX_ARGUMENT_UNSIGNED,    // `integer`, zero extended; of %c too
    PLX_ARGUMENT_POINTER,     // `pointer`, of %p, %s and %n
    PLX_ARGUMENT_DOUBLE,      // `real`
    PLX_ARGUMENT_LONG_DOUBLE, // `long_real`
    PLX_ARGUMENT_UNKNOWN,     // it cannot be taken, and none behind it
};

struct plx_argument {
    enum plx_argument_kind kind;
    union {
        uint64_t integer;
        void *pointer;
        double real;
        long double long_real;
    };
};

// What kind of argument a conversion takes.
extern enum plx_argument_kind plx_argument_kind(const struct plx_conversion *conversion);

// Takes the conversion's arguments. A width or precision that is an argument is pinned and put into
// the conversion (a negative width is the flag '-', a negative precision none).
extern void plx_take_argument(struct plx_conversion *conversion, struct plx_arguments *from,
                              struct plx_argument *out);

enum plx_format_kind {
    PLX_FORMAT_CONCRETE, // neither the format nor an argument has a label
    PLX_FORMAT_SYMBOLIC, // some have, and the format can be walked
    PLX_FORMAT_OPAQUE,   // it cannot be walked: print it by the real function, count a conversion
};

// Looks at a format and all its arguments. A format with %n that can be walked is never
// PLX_FORMAT_CONCRETE, because the real function would leave the labels of what it overwrites.
// The list is used up.
extern enum plx_format_kind plx_examine_format(const char *format, va_list arguments);

// Whether an argument (for %s also its text, as far as it is printed) has a label.
extern int plx_argument_has_label(const struct plx_conversion *conversion,
                                  const struct plx_argument *argument);

// Prints one conversion to memory and returns how long its text is; at most `room` bytes are
// written, and no '\0'. `so_far` is what %n stores.
extern size_t plx_format_one(char *to, size_t room, const struct plx_conversion *conversion,
                             const struct plx_argument *argument, size_t so_far);

// The whole text like vasprintf's, with labels, and its length in `*length` (negative and errno set
// if the real function fails; then null is returned). Give it back by `plx_free_text`.
extern char *plx_format_text(const char *format, va_list arguments, int *length);
extern void plx_free_text(char *text);
