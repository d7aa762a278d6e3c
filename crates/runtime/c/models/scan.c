// scanf and its family.
//
// Decision: one walk over the format reads from a stream or from a string alike, a byte at a time,
// as the program's own parser would: a byte that may or may not belong to the item is a branch.
// A number is one expression over the digits that the run has. Conversions to wide characters and
// numbered arguments are left to the real function, which knows no labels: they are counted.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ctype_classes.h"
#include "stream.h"

extern long plx_model_strtol(const char *text, char **end, int base);
extern unsigned long plx_model_strtoul(const char *text, char **end, int base);
extern float plx_model_strtof(const char *text, char **end);
extern double plx_model_strtod(const char *text, char **end);
extern long double plx_model_strtold(const char *text, char **end);
extern void *plx_model_realloc(void *object, size_t length);

// ---- Where the bytes come from -------------------------------------------------------------------

struct source {
    struct plx_stream *stream; // or null
    const char *text;
    long read; // how many bytes were taken, for %n
    int held;  // `byte` was given back: it is asked for once
    int byte;
    int ended; // so is the end; glibc has errno from then each time that it meets the end again
    int error;
};

#define IS_EOF(byte) (PLX_INT_WITHOUT_LABEL(byte) == EOF)

static int fetch(struct source *source) {
    if (source->stream) return plx_stream_next(source->stream);
    int byte = (unsigned char)*source->text;
    if (byte == 0) return EOF;
    source->text++;
    return byte;
}

static int at_end(struct source *source) {
    if (source->ended) errno = source->error;
    source->ended = 1;
    source->error = errno;
    return EOF;
}

static int next(struct source *source) {
    if (source->ended) return at_end(source);
    int byte = source->held ? source->byte : fetch(source);
    source->held = 0;
    if (IS_EOF(byte)) return at_end(source);
    source->read++;
    return byte;
}

// Gives back what `next` returned last.
static void back(struct source *source, int byte) {
    if (IS_EOF(byte)) return;
    source->read--;
    source->held = 1;
    source->byte = byte;
}

static int skip_spaces(struct source *source) {
    int byte;
    do byte = next(source);
    while (!IS_EOF(byte) && plx_is_space(byte));
    back(source, byte);
    return !IS_EOF(byte);
}

// ---- Conversions ---------------------------------------------------------------------------------

enum size { SIZE_CHAR, SIZE_SHORT, SIZE_INT, SIZE_LONG, SIZE_LONG_DOUBLE };

#define RANGES_ROOM 64
struct conversion {
    int suppressed, allocates, inverted, numbered;
    size_t width; // SIZE_MAX if none is given
    enum size size;
    char specifier;
    unsigned ranges_count; // of %[
    struct { unsigned char first, last; } ranges[RANGES_ROOM];
};

enum outcome { FAILED, AT_END, CONVERTED };

// Collects the text of a number. A byte is taken when it is looked at, and not before: at the end
// of a file that can be seen.
struct item {
    struct source *source;
    size_t width, used;
    int looked; // `byte` is the next one
    int byte;
    char text[512];
};

static void start_item(struct item *item, struct source *source, size_t width) {
    item->source = source;
    item->width = width;
    item->used = 0;
    item->looked = 0;
}

static int look(struct item *item) {
    if (!item->looked) item->byte = next(item->source);
    item->looked = 1;
    return !IS_EOF(item->byte);
}

// Whether there is a byte that may belong to the item.
static int has_byte(struct item *item) {
    return item->used < item->width && look(item);
}

// The byte belongs to the item. What is beyond the room has no part in its value.
static void keep_byte(struct item *item) {
    if (item->used < sizeof item->text - 1)
        item->text[item->used] = (char)item->byte;
    else if (item->used == sizeof item->text - 1)
        plx_count(PLX_COUNTER_CONVERSION, "scanf");
    item->used++;
    item->looked = 0;
}

static void end_item(struct item *item) {
    if (item->looked) back(item->source, item->byte);
    item->text[item->used < sizeof item->text ? item->used : sizeof item->text - 1] = '\0';
}

// ---- Integers ------------------------------------------------------------------------------------

static int is_digit_of(int byte, int base) {
    if (base <= 10) return plx_between(byte, '0', base);
    return plx_is_digit(byte) | plx_between(byte | 32, 'a', base - 10);
}

static uint64_t digit_value(int byte, int base) {
    if (base <= 10) return (uint64_t)(byte - '0');
    return (uint64_t)((byte & 31) - 16 + 25 * (byte >> 6));
}

// Most numbers have none, so a digit is asked for first.
static int keep_sign(struct item *item) {
    if (!has_byte(item) || plx_is_digit(item->byte)) return 0;
    if (item->byte == '-') {
        keep_byte(item);
        return 1;
    }
    if (item->byte == '+') keep_byte(item);
    return 0;
}

// "0x", or the "0" of an octal number; returns the base.
static int keep_prefix(struct item *item, int base) {
    if ((base != 0 && base != 16) || !has_byte(item) || item->byte != '0') return base ? base : 10;
    keep_byte(item);
    if (has_byte(item) && (item->byte | 32) == 'x') {
        keep_byte(item);
        return 16;
    }
    return base ? base : 8;
}

// The value of the digits in text[first..end) if none of them can make it too large.
static uint64_t value_of(const char *text, size_t first, size_t end, int base) {
    uint64_t value = 0;
    for (size_t i = first; i < end; i++)
        value = value * (uint64_t)base + digit_value((unsigned char)text[i], base);
    return value;
}

static int is_nil(struct item *item) {
    for (const char *rest = "(nil)"; *rest; rest++) {
        if (!has_byte(item) || plx_to_lower(item->byte) != *rest) return 0;
        keep_byte(item);
    }
    return 1;
}

static enum outcome read_nil(struct item *item, uint64_t *value) {
    int nil = item->width >= 5 && is_nil(item);
    end_item(item);
    *value = 0;
    return nil ? CONVERTED : FAILED;
}

static enum outcome read_integer(struct source *source, const struct conversion *conversion,
                                 int base, uint64_t *value) {
    struct item item;
    start_item(&item, source, conversion->width);
    int negative = keep_sign(&item);
    size_t sign = item.used;
    int written = base ? base : 10;
    base = keep_prefix(&item, base);
    size_t first = item.used;
    while (has_byte(&item) && is_digit_of(item.byte, base)) keep_byte(&item);
    if (item.used == sign && sign == 0 && conversion->specifier == 'p') return read_nil(&item, value);
    look(&item);
    end_item(&item);
    if (item.used == sign) return FAILED;
    int is_signed = strchr("di", conversion->specifier) != NULL;
    if (item.used - first <= 15) {
        uint64_t read = value_of(item.text, first, item.used, base);
        if (negative) read = -read;
        plx_label label =
            plx_number(item.text, item.used, written, is_signed, read, plx_label_of(read));
        *value = plx_with_label(read, label);
    } else if (is_signed) {
        *value = (uint64_t)plx_model_strtol(item.text, NULL, base);
    } else {
        *value = plx_model_strtoul(item.text, NULL, base);
    }
    return CONVERTED;
}

static void store_integer(void *to, enum size size, uint64_t value) {
    switch (size) {
    case SIZE_CHAR:
        *(uint8_t *)to = (uint8_t)value;
        break;
    case SIZE_SHORT:
        *(uint16_t *)to = (uint16_t)value;
        break;
    case SIZE_INT:
        *(uint32_t *)to = (uint32_t)value;
        break;
    default:
        *(uint64_t *)to = value;
    }
}

static int base_of(char specifier) {
    switch (specifier) {
    case 'i':
        return 0;
    case 'o':
        return 8;
    case 'x':
    case 'X':
    case 'p':
        return 16;
    default:
        return 10;
    }
}

static enum outcome convert_integer(struct source *source, struct conversion *conversion, void *to) {
    uint64_t value;
    if (!skip_spaces(source)) return AT_END;
    enum outcome outcome =
        read_integer(source, conversion, base_of(conversion->specifier), &value);
    if (outcome == CONVERTED && to)
        store_integer(to, conversion->specifier == 'p' ? SIZE_LONG : conversion->size, value);
    return outcome;
}

// ---- Floating point ------------------------------------------------------------------------------

// Keeps the letters of a word; 1 if all of them are there. As in glibc, the byte that spoils the
// word is gone.
static int keep_word(struct item *item, const char *word) {
    for (; *word; word++) {
        if (!has_byte(item)) return 0;
        int matches = (item->byte | 32) == *word;
        keep_byte(item);
        if (!matches) return 0;
    }
    return 1;
}

static int keep_infinity(struct item *item) {
    if (!keep_word(item, "inf")) return 0;
    if (!has_byte(item) || (item->byte | 32) != 'i') return 1;
    return keep_word(item, "inity");
}

static size_t keep_digits(struct item *item, int base) {
    size_t before = item->used;
    while (has_byte(item) && is_digit_of(item->byte, base)) keep_byte(item);
    return item->used - before;
}

static void keep_exponent(struct item *item, int letter) {
    if (!has_byte(item) || (item->byte | 32) != letter) return;
    keep_byte(item);
    keep_sign(item);
    keep_digits(item, 10);
}

// Whether there may be a number in what was kept; strtod has the last word.
static int keep_decimal(struct item *item) {
    int base = 10;
    size_t digits = 0;
    if (has_byte(item) && item->byte == '0') {
        keep_byte(item);
        digits = 1;
        // Only if the width leaves room for a digit.
        if (has_byte(item) && item->used + 1 < item->width && (item->byte | 32) == 'x') {
            keep_byte(item);
            base = 16;
            digits = 0;
        }
    }
    digits += keep_digits(item, base);
    int point = has_byte(item) && item->byte == '.';
    if (point) {
        keep_byte(item);
        digits += keep_digits(item, base);
    }
    if (digits > 0) keep_exponent(item, base == 16 ? 'p' : 'e');
    return digits > 0 || (base == 16 && point);
}

static int keep_number(struct item *item) {
    keep_sign(item);
    if (!has_byte(item)) return 0;
    int digit = plx_is_digit(item->byte) | (item->byte == '.');
    if (digit) return keep_decimal(item);
    if ((item->byte | 32) == 'i') return keep_infinity(item);
    if ((item->byte | 32) == 'n') return keep_word(item, "nan");
    return 0;
}

static int store_real(const char *text, enum size size, void *to) {
    char *end;
    if (size == SIZE_LONG_DOUBLE) {
        long double value = plx_model_strtold(text, &end);
        if (to && end != text) *(long double *)to = value;
    } else if (size == SIZE_LONG) {
        double value = plx_model_strtod(text, &end);
        if (to && end != text) *(double *)to = value;
    } else {
        float value = plx_model_strtof(text, &end);
        if (to && end != text) *(float *)to = value;
    }
    return end != text;
}

static enum outcome convert_real(struct source *source, struct conversion *conversion, void *to) {
    struct item item;
    if (!skip_spaces(source)) return AT_END;
    start_item(&item, source, conversion->width);
    int number = keep_number(&item);
    end_item(&item);
    return number && store_real(item.text, conversion->size, to) ? CONVERTED : FAILED;
}

// ---- Characters ----------------------------------------------------------------------------------

// Where %c, %s and %[ store: a place of the caller's, or an object that grows.
struct place {
    char *to; // null: nowhere
    size_t used, room;
    int grows;
};

static int store_byte(struct place *place, int byte) {
    if (place->grows && place->used == place->room) {
        size_t room = place->room ? 2 * place->room : 100;
        char *grown = plx_model_realloc(place->to, room);
        if (!grown) return 0;
        place->to = grown;
        place->room = room;
    }
    if (place->to) place->to[place->used] = (char)byte;
    place->used++;
    return 1;
}

static int is_in_set(const struct conversion *conversion, int byte) {
    int found = 0;
    for (unsigned i = 0; i < conversion->ranges_count; i++) {
        int first = conversion->ranges[i].first, last = conversion->ranges[i].last;
        found |= plx_between(byte, first, last - first + 1);
    }
    return found ^ conversion->inverted;
}

static int belongs(const struct conversion *conversion, int byte) {
    switch (conversion->specifier) {
    case 'c':
        return 1;
    case 's':
        return !plx_is_space(byte);
    default:
        return is_in_set(conversion, byte);
    }
}

// Reads bytes as long as they belong; returns what the last one was.
static int read_bytes(struct source *source, const struct conversion *conversion,
                      struct place *place) {
    size_t width = conversion->width;
    if (width == SIZE_MAX && conversion->specifier == 'c') width = 1;
    while (place->used < width) {
        int byte = next(source);
        if (IS_EOF(byte)) return EOF;
        if (!belongs(conversion, byte)) {
            back(source, byte);
            break;
        }
        if (!store_byte(place, byte)) break;
    }
    return 0;
}

static enum outcome convert_bytes(struct source *source, struct conversion *conversion, void *to) {
    struct place place = {NULL, 0, 0, conversion->allocates && to};
    if (!place.grows) place.to = to;
    if (conversion->specifier == 's' && !skip_spaces(source)) return AT_END;
    int last = read_bytes(source, conversion, &place);
    if (place.used == 0) return last == EOF ? AT_END : FAILED;
    size_t used = place.used;
    if (conversion->specifier != 'c') store_byte(&place, '\0');
    if (!place.grows) return CONVERTED;
    char *object = plx_model_realloc(place.to, conversion->specifier == 'c' ? used : used + 1);
    *(char **)to = object ? object : place.to;
    return CONVERTED;
}

// ---- The format ----------------------------------------------------------------------------------

static const char *read_size(const char *at, struct conversion *conversion) {
    conversion->size = SIZE_INT;
    switch (*at) {
    case 'h':
        conversion->size = at[1] == 'h' ? SIZE_CHAR : SIZE_SHORT;
        return at + (at[1] == 'h' ? 2 : 1);
    case 'l':
        conversion->size = SIZE_LONG;
        return at + (at[1] == 'l' ? 2 : 1);
    case 'q':
    case 'j':
    case 'z':
    case 't':
        conversion->size = SIZE_LONG;
        return at + 1;
    case 'L':
        conversion->size = SIZE_LONG_DOUBLE;
        return at + 1;
    default:
        return at;
    }
}

static void add_range(struct conversion *conversion, unsigned char first, unsigned char last) {
    if (conversion->ranges_count == RANGES_ROOM) {
        plx_count(PLX_COUNTER_CONVERSION, "scanf");
        return;
    }
    conversion->ranges[conversion->ranges_count].first = first;
    conversion->ranges[conversion->ranges_count].last = last;
    conversion->ranges_count++;
}

static void add_ranges(struct conversion *conversion, const unsigned char *members) {
    for (int byte = 0; byte < 256; byte++) {
        int first = byte;
        while (byte < 256 && members[byte]) byte++;
        if (byte > first) add_range(conversion, (unsigned char)first, (unsigned char)(byte - 1));
    }
}

// The set behind '['; returns where it ends, or null if it does not. As in glibc, the last byte of a range
// may be the first one of the next: "a-c-e" is "a-e".
static const char *read_set(const char *at, struct conversion *conversion) {
    unsigned char members[256] = {0};
    conversion->inverted = *at == '^';
    at += conversion->inverted;
    if (*at == ']' || *at == '-') members[(unsigned char)*at++] = 1;
    for (; *at && *at != ']'; at++) {
        unsigned char first = (unsigned char)at[-1], last = (unsigned char)at[1];
        if (*at == '-' && last && last != ']' && first <= last)
            memset(members + first, 1, last - first);
        else
            members[(unsigned char)*at] = 1;
    }
    add_ranges(conversion, members);
    return *at ? at + 1 : NULL;
}

// Takes the conversion behind '%' apart; returns where the format goes on.
static const char *read_conversion(const char *at, struct conversion *conversion) {
    memset(conversion, 0, sizeof *conversion);
    conversion->width = SIZE_MAX;
    for (;; at++) {
        if (*at == '*')
            conversion->suppressed = 1;
        else if (*at == 'm')
            conversion->allocates = 1;
        else if (plx_is_digit((unsigned char)*at)) {
            char *end;
            conversion->width = strtoul(at, &end, 10);
            at = end - 1;
            if (conversion->width == 0) conversion->width = SIZE_MAX;
        } else if (*at == '$')
            conversion->numbered = 1;
        else if (*at != '\'' && *at != 'I')
            break;
    }
    at = read_size(at, conversion);
    conversion->specifier = *at ? *at++ : '\0';
    if (conversion->specifier != '[') return at;
    const char *end = read_set(at, conversion);
    if (!end) conversion->specifier = '\0';
    return end ? end : at + strlen(at);
}

// Whether the walk below can follow the format.
static int is_modelled(const char *format) {
    struct conversion conversion;
    while ((format = strchr(format, '%'))) {
        format = read_conversion(format + 1, &conversion);
        if (conversion.specifier == '\0') return 1;
        if (conversion.numbered || strchr("CS", conversion.specifier)) return 0;
        if (conversion.size == SIZE_LONG && strchr("cs[", conversion.specifier)) return 0;
    }
    return 1;
}

static enum outcome convert(struct source *source, struct conversion *conversion, void *to) {
    switch (conversion->specifier) {
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p':
        if (conversion->size == SIZE_LONG_DOUBLE) conversion->size = SIZE_LONG;
        return convert_integer(source, conversion, to);
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        return convert_real(source, conversion, to);
    case 'c': case 's': case '[':
        return convert_bytes(source, conversion, to);
    default:
        return FAILED;
    }
}

static enum outcome match(struct source *source, int wanted) {
    int byte = next(source);
    if (IS_EOF(byte)) return AT_END;
    if (byte == wanted) return CONVERTED;
    back(source, byte);
    return FAILED;
}

// A word of the format is asked for byte by byte; that it is one is said as well.
static void offer_word(struct source *source, const char *word) {
    size_t length = strcspn(word, "% \t\n\v\f\r");
    if (!source->text || source->ended || length < 2) return;
    const char *at = source->text - source->held;
    size_t there = strnlen(at, length);
    plx_compare(at, there, word, length, there == length && !memcmp(at, word, length), 0);
}

static enum outcome match_percent(struct source *source) {
    return skip_spaces(source) ? match(source, '%') : AT_END;
}

struct targets {
    va_list list;
};

// One conversion with its argument. `*count` goes up if something was stored.
static enum outcome scan_conversion(struct source *source, struct conversion *conversion,
                                    struct targets *targets, int *count) {
    if (conversion->specifier == '%') return match_percent(source);
    void *to = conversion->suppressed ? NULL : va_arg(targets->list, void *);
    to = PLX_PIN_POINTER(to);
    if (conversion->specifier == 'n') {
        if (to) store_integer(to, conversion->size, (uint64_t)source->read);
        return CONVERTED;
    }
    enum outcome outcome = convert(source, conversion, to);
    if (outcome == CONVERTED && to) ++*count;
    return outcome;
}

static int scan(struct source *source, const char *format, struct targets *targets) {
    struct conversion conversion;
    int count = 0, in_word = 0;
    while (*format) {
        enum outcome outcome = CONVERTED;
        int is_word = *format != '%' && !plx_is_space((unsigned char)*format);
        if (is_word && !in_word) offer_word(source, format);
        in_word = is_word;
        if (plx_is_space((unsigned char)*format)) {
            skip_spaces(source);
            format++;
        } else if (*format == '%') {
            format = read_conversion(format + 1, &conversion);
            outcome = scan_conversion(source, &conversion, targets, &count);
        } else {
            outcome = match(source, (unsigned char)*format++);
        }
        if (outcome == AT_END) return count ? count : EOF;
        if (outcome == FAILED) return count;
    }
    return count;
}

// ---- The family ----------------------------------------------------------------------------------

static int scan_stream_natively(struct plx_stream *state, const char *format, va_list arguments) {
    plx_count(PLX_COUNTER_CONVERSION, "scanf");
    plx_stream_settle(state);
    int result = vfscanf(state->stream, format, arguments);
    plx_stream_relabel(state);
    return result;
}

int plx_model_vfscanf(FILE *stream, const char *format, va_list arguments) {
    if (!plx_tracing()) return vfscanf(stream, format, arguments);
    struct plx_stream *state = plx_stream_of(stream);
    struct targets targets;
    format = plx_pin_string(format);
    if (!is_modelled(format)) return scan_stream_natively(state, format, arguments);
    struct source source = {.stream = state};
    va_copy(targets.list, arguments);
    int result = scan(&source, format, &targets);
    va_end(targets.list);
    if (source.held) plx_stream_back(state);
    return result;
}
PLX_ALIAS(__isoc99_vfscanf, vfscanf);
PLX_ALIAS(__isoc23_vfscanf, vfscanf);

int plx_model_vsscanf(const char *text, const char *format, va_list arguments) {
    if (!plx_tracing()) return vsscanf(text, format, arguments);
    struct targets targets;
    format = plx_pin_string(format);
    if (!is_modelled(format)) {
        plx_count(PLX_COUNTER_CONVERSION, "sscanf");
        return vsscanf(text, format, arguments);
    }
    struct source source = {.text = PLX_PIN_POINTER(text)};
    va_copy(targets.list, arguments);
    int result = scan(&source, format, &targets);
    va_end(targets.list);
    return result;
}
PLX_ALIAS(__isoc99_vsscanf, vsscanf);
PLX_ALIAS(__isoc23_vsscanf, vsscanf);

int plx_model_vscanf(const char *format, va_list arguments) {
    return plx_model_vfscanf(stdin, format, arguments);
}
PLX_ALIAS(__isoc99_vscanf, vscanf);
PLX_ALIAS(__isoc23_vscanf, vscanf);

#define VARIADIC(call)                                                                             \
    ({                                                                                             \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int result = call;                                                                         \
        va_end(list);                                                                              \
        result;                                                                                    \
    })

int plx_model_fscanf(FILE *stream, const char *format, ...) {
    return VARIADIC(plx_model_vfscanf(stream, format, list));
}
PLX_ALIAS(__isoc99_fscanf, fscanf);
PLX_ALIAS(__isoc23_fscanf, fscanf);

int plx_model_sscanf(const char *text, const char *format, ...) {
    return VARIADIC(plx_model_vsscanf(text, format, list));
}
PLX_ALIAS(__isoc99_sscanf, sscanf);
PLX_ALIAS(__isoc23_sscanf, sscanf);

int plx_model_scanf(const char *format, ...) {
    return VARIADIC(plx_model_vfscanf(stdin, format, list));
}
PLX_ALIAS(__isoc99_scanf, scanf);
PLX_ALIAS(__isoc23_scanf, scanf);
