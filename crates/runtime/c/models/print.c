// Output by printf and what builds on it.
//
// Decision: what is printed becomes events first, then the real function prints. If nothing has a
// label, the text is made once and is one event. Else the format is walked: literal text, concrete
// conversions and strings are bytes with their labels, collected up to the next number that is
// symbolic; that one is an event of its own that holds the conversion and the value, because its
// digits are no expression that a solver should see.
#define _GNU_SOURCE
#include <errno.h>
#include <error.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "stream.h"
#include "string_parts.h"

extern void plx_model_exit(int status) __attribute__((noreturn));

// ---- Events --------------------------------------------------------------------------------------

// Bytes that are printed next, collected with their labels.
struct sink {
    int descriptor;
    int uncertain; // whether digits were printed of which it is not known how many they are
    size_t used;
    char bytes[512];
};

static void flush_sink(struct sink *sink) {
    if (sink->used > 0 && sink->descriptor >= 0)
        plx_output_bytes(sink->descriptor, sink->bytes, sink->used);
    sink->used = 0;
}

static void sink_bytes(struct sink *sink, const char *from, size_t length) {
    if (length > sizeof sink->bytes - sink->used) flush_sink(sink);
    if (length > sizeof sink->bytes) {
        if (sink->descriptor >= 0) plx_output_bytes(sink->descriptor, from, length);
        return;
    }
    memcpy(sink->bytes + sink->used, from, length);
    plx_copy_labels(sink->bytes + sink->used, from, length);
    sink->used += length;
}

static void sink_spaces(struct sink *sink, size_t count) {
    for (; count > 0; count--) sink_bytes(sink, " ", 1);
}

static void sink_padded(struct sink *sink, const struct plx_conversion *conversion, const char *from,
                        size_t length) {
    size_t width = conversion->width > 0 ? (size_t)conversion->width : 0;
    size_t padding = width > length ? width - length : 0;
    if (!conversion->left) sink_spaces(sink, padding);
    sink_bytes(sink, from, length);
    if (conversion->left) sink_spaces(sink, padding);
}

// Each symbolic byte before the end is a branch.
static void sink_string(struct sink *sink, const struct plx_conversion *conversion,
                        const char *text) {
    size_t most = conversion->precision >= 0 ? (size_t)conversion->precision : SIZE_MAX, length = 0;
    text = PLX_PIN_POINTER(text);
    while (length < most && text[length]) length++;
    sink_padded(sink, conversion, text, length);
}

// A conversion that means the same with its width and precision written out.
static size_t spell(const struct plx_conversion *conversion, char *out, size_t room) {
    static const char *const modifiers[] = {"", "hh", "h", "l", "L"};
    char width[16] = "", precision[16] = "";
    if (conversion->width >= 0) snprintf(width, sizeof width, "%d", conversion->width);
    if (conversion->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", conversion->precision);
    int length = snprintf(out, room, "%%%s%s%s%s%s%s%s%s%s%c", conversion->left ? "-" : "",
                          conversion->plus ? "+" : "", conversion->space ? " " : "",
                          conversion->alternate ? "#" : "", conversion->zero ? "0" : "",
                          conversion->group ? "'" : "", width, precision,
                          modifiers[conversion->modifier], conversion->specifier);
    return (size_t)length;
}

// False if the value has become concrete.
static int sink_value(struct sink *sink, const struct plx_conversion *conversion, uint64_t value) {
    char text[64];
    plx_label label = plx_label_of(value);
    if (!label) return 0;
    size_t length = spell(conversion, text, sizeof text);
    flush_sink(sink);
    sink->uncertain = 1;
    if (sink->descriptor >= 0) plx_output_value(sink->descriptor, text, length, value, label);
    return 1;
}

static uint64_t bits_of(double real) {
    union {
        double real;
        uint64_t bits;
    } both = {real};
    return both.bits;
}

// A conversion of something symbolic; false if it has no event of its own.
static int sink_symbolic(struct sink *sink, const struct plx_conversion *conversion,
                         const struct plx_argument *argument) {
    char byte = (char)argument->integer;
    switch (conversion->specifier) {
    case 's':
        sink_string(sink, conversion, argument->pointer);
        return 1;
    case 'c':
        sink_padded(sink, conversion, &byte, 1);
        return 1;
    }
    switch (argument->kind) {
    case PLX_ARGUMENT_SIGNED:
    case PLX_ARGUMENT_UNSIGNED:
        return sink_value(sink, conversion, argument->integer);
    case PLX_ARGUMENT_POINTER:
        return sink_value(sink, conversion, (uint64_t)argument->pointer);
    case PLX_ARGUMENT_DOUBLE:
        return sink_value(sink, conversion, bits_of(argument->real));
    default:
        return 0;
    }
}

// A conversion as the real function prints it.
static void sink_concrete(struct sink *sink, const struct plx_conversion *conversion,
                          const struct plx_argument *argument) {
    char text[256];
    size_t length = plx_format_one(text, sizeof text, conversion, argument, 0);
    if (length <= sizeof text) {
        sink_bytes(sink, text, length);
        return;
    }
    char *longer = plx_own_memory(length);
    if (!longer) return;
    plx_format_one(longer, length, conversion, argument, 0);
    sink_bytes(sink, longer, length);
    plx_give_back(longer);
}

// The real function stores how much it has printed; that is concrete.
static void clear_count(const struct plx_conversion *conversion, void *to) {
    size_t length = conversion->modifier == PLX_MODIFIER_CHAR    ? 1
                    : conversion->modifier == PLX_MODIFIER_SHORT ? 2
                    : conversion->modifier == PLX_MODIFIER_LONG  ? 8
                                                                 : 4;
    if (plx_in_proof()) plx_unwritten(to, length);
    else plx_clear(to, length);
}

static void sink_conversion(struct sink *sink, const struct plx_conversion *conversion,
                            const struct plx_argument *argument) {
    if (conversion->specifier == 'n') {
        clear_count(conversion, argument->pointer);
        return;
    }
    if (plx_argument_has_label(conversion, argument) && sink_symbolic(sink, conversion, argument))
        return;
    sink_concrete(sink, conversion, argument);
}

// Events for a format that can be walked. `%m` needs errno as it is.
static void sink_format(struct sink *sink, const char *format, va_list arguments) {
    struct plx_arguments list;
    struct plx_conversion conversion;
    int error = errno;
    va_copy(list.list, arguments);
    for (const char *at = format, *next;; at = next) {
        next = plx_next_conversion(at, &conversion);
        sink_bytes(sink, at, (size_t)(conversion.start - at));
        if (!next) break;
        struct plx_argument argument;
        plx_take_argument(&conversion, &list, &argument);
        errno = error;
        sink_conversion(sink, &conversion, &argument);
        errno = error;
    }
    va_end(list.list);
    flush_sink(sink);
    errno = error;
}

// How much was printed depends on digits that have no expressions; in a proof nothing may rest on it but that
// it is no failure.
static int printed_length(int result) {
    if (!plx_in_proof() || result < 0) return result;
    return (int)(plx_with_label((uint64_t)result, plx_unknown()) & INT_MAX);
}

static enum plx_format_kind examine(const char *format, va_list arguments) {
    va_list look;
    int error = errno;
    va_copy(look, arguments);
    enum plx_format_kind kind = plx_examine_format(format, look);
    va_end(look);
    if (kind == PLX_FORMAT_OPAQUE) plx_count(PLX_COUNTER_CONVERSION, "printf");
    errno = error;
    return kind;
}

// ---- Printing ------------------------------------------------------------------------------------

// The text of a concrete format: in `room` if it fits, else to be freed; null if there is none.
static char *concrete_text(char *room, size_t size, const char *format, va_list arguments,
                           int *length) {
    va_list again;
    int error = errno;
    va_copy(again, arguments);
    *length = vsnprintf(room, size, format, arguments);
    char *text = *length < 0 ? NULL : room;
    if (text && (size_t)*length >= size) {
        text = malloc((size_t)*length + 1);
        errno = error;
        if (text) vsnprintf(text, (size_t)*length + 1, format, again);
    }
    va_end(again);
    return text;
}

static int print_concrete(struct plx_stream *state, const char *format, va_list arguments) {
    char room[1024];
    int length;
    char *text = concrete_text(room, sizeof room, format, arguments, &length);
    if (!text) return -1;
    size_t written = plx_stream_write(state, text, (size_t)length);
    if (text != room) free(text);
    return written == (size_t)length ? length : -1;
}

int plx_model_vfprintf(FILE *stream, const char *format, va_list arguments) {
    if (!plx_tracing()) return vfprintf(stream, format, arguments);
    struct plx_stream *state = plx_stream_of(stream);
    format = plx_pin_string(format);
    if (examine(format, arguments) != PLX_FORMAT_SYMBOLIC)
        return print_concrete(state, format, arguments);
    struct sink sink = {.descriptor = plx_stream_descriptor(state->stream)};
    plx_stream_starts_writing(state);
    sink_format(&sink, format, arguments);
    int result = vfprintf(state->stream, format, arguments);
    if (sink.uncertain) plx_stream_uncertain(state);
    plx_stream_wrote(state);
    return printed_length(result);
}

static int print_concrete_to(int descriptor, const char *format, va_list arguments) {
    char room[1024];
    int length;
    va_list again;
    va_copy(again, arguments);
    char *text = concrete_text(room, sizeof room, format, again, &length);
    va_end(again);
    if (text) plx_output_bytes(descriptor, text, (size_t)length);
    if (text && text != room) free(text);
    return vdprintf(descriptor, format, arguments);
}

int plx_model_vdprintf(int descriptor, const char *format, va_list arguments) {
    if (!plx_tracing()) return vdprintf(descriptor, format, arguments);
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    format = plx_pin_string(format);
    plx_file_written(descriptor);
    plx_file_channel(descriptor, NULL);
    if (examine(format, arguments) != PLX_FORMAT_SYMBOLIC)
        return print_concrete_to(descriptor, format, arguments);
    struct sink sink = {.descriptor = descriptor};
    sink_format(&sink, format, arguments);
    return printed_length(vdprintf(descriptor, format, arguments));
}

#define VARIADIC(call)                                                                             \
    ({                                                                                             \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        int printed = call;                                                                        \
        va_end(list);                                                                              \
        printed;                                                                                   \
    })

int plx_model_vprintf(const char *format, va_list arguments) {
    return plx_model_vfprintf(stdout, format, arguments);
}

int plx_model_printf(const char *format, ...) {
    return VARIADIC(plx_model_vfprintf(stdout, format, list));
}
PLX_ALIAS(_IO_printf, printf);

int plx_model_fprintf(FILE *stream, const char *format, ...) {
    return VARIADIC(plx_model_vfprintf(stream, format, list));
}

int plx_model_dprintf(int descriptor, const char *format, ...) {
    return VARIADIC(plx_model_vdprintf(descriptor, format, list));
}

// ---- With _FORTIFY_SOURCE ------------------------------------------------------------------------

int plx_model___vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments) {
    (void)flag;
    return plx_model_vfprintf(stream, format, arguments);
}

int plx_model___vprintf_chk(int flag, const char *format, va_list arguments) {
    (void)flag;
    return plx_model_vfprintf(stdout, format, arguments);
}

int plx_model___vdprintf_chk(int descriptor, int flag, const char *format, va_list arguments) {
    (void)flag;
    return plx_model_vdprintf(descriptor, format, arguments);
}

int plx_model___printf_chk(int flag, const char *format, ...) {
    (void)flag;
    return VARIADIC(plx_model_vfprintf(stdout, format, list));
}

int plx_model___fprintf_chk(FILE *stream, int flag, const char *format, ...) {
    (void)flag;
    return VARIADIC(plx_model_vfprintf(stream, format, list));
}

int plx_model___dprintf_chk(int descriptor, int flag, const char *format, ...) {
    (void)flag;
    return VARIADIC(plx_model_vdprintf(descriptor, format, list));
}

// ---- Messages ------------------------------------------------------------------------------------

// Events only: glibc's perror may change errno, so it prints itself.
static void sink_perror(struct sink *sink, const char *text, const char *message) {
    static const struct plx_conversion plain = {.width = PLX_ABSENT, .precision = PLX_ABSENT};
    if (text && *text) {
        sink_string(sink, &plain, text);
        sink_bytes(sink, ": ", 2);
    }
    sink_bytes(sink, message, strlen(message));
    sink_bytes(sink, "\n", 1);
    flush_sink(sink);
}

void plx_model_perror(const char *text) {
    int error = PLX_PINNED(errno, PLX_PIN_OPERATION);
    if (plx_tracing()) {
        struct plx_stream *state = plx_stream_of(stderr);
        struct sink sink = {.descriptor = plx_stream_descriptor(state->stream)};
        plx_stream_starts_writing(state);
        sink_perror(&sink, text, strerror(error));
    }
    errno = error;
    perror(text);
    if (plx_tracing()) plx_stream_wrote(plx_stream_of(stderr));
}

static void flush_stdout(void) {
    if (plx_tracing()) plx_stream_settle(plx_stream_of(stdout));
    fflush(stdout);
    if (plx_tracing()) plx_stream_wrote(plx_stream_of(stdout));
}

// The end of what error and error_at_line print.
static void finish_error(int status, int number, const char *format, va_list arguments) {
    plx_model_vfprintf(stderr, format, arguments);
    error_message_count++;
    if (number) plx_model_fprintf(stderr, ": %s", strerror(number));
    plx_model_fprintf(stderr, "\n");
    fflush(stderr);
    if (status) plx_model_exit(status);
}

static void print_program_name(const char *separator) {
    if (error_print_progname)
        error_print_progname();
    else
        plx_model_fprintf(stderr, "%s:%s", program_invocation_name, separator);
}

void plx_model_error(int status, int number, const char *format, ...) {
    va_list list;
    number = PLX_PINNED(number, PLX_PIN_OPERATION);
    flush_stdout();
    print_program_name(" ");
    va_start(list, format);
    finish_error(status, number, format, list);
    va_end(list);
}

static int same_line_again(const char *file, unsigned line) {
    static const char *old_file;
    static unsigned old_line;
    if (!error_one_per_line) return 0;
    if (old_line == line && (old_file == file || (old_file && file && !strcmp(old_file, file))))
        return 1;
    old_file = file;
    old_line = line;
    return 0;
}

void plx_model_error_at_line(int status, int number, const char *file, unsigned line,
                             const char *format, ...) {
    va_list list;
    number = PLX_PINNED(number, PLX_PIN_OPERATION);
    if (same_line_again(file, line)) return;
    flush_stdout();
    print_program_name("");
    if (file)
        plx_model_fprintf(stderr, "%s:%u: ", file, line);
    else
        plx_model_fprintf(stderr, " ");
    va_start(list, format);
    finish_error(status, number, format, list);
    va_end(list);
}

// `number` below zero: no message of the system.
static void warn_with(int number, const char *format, va_list arguments) {
    plx_model_fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format) plx_model_vfprintf(stderr, format, arguments);
    if (number >= 0) plx_model_fprintf(stderr, "%s%s", format ? ": " : "", strerror(number));
    plx_model_fprintf(stderr, "\n");
}

void plx_model_vwarn(const char *format, va_list arguments) {
    warn_with(errno, format, arguments);
}

void plx_model_vwarnx(const char *format, va_list arguments) {
    warn_with(-1, format, arguments);
}

void plx_model_verr(int status, const char *format, va_list arguments) {
    warn_with(errno, format, arguments);
    plx_model_exit(status);
}

void plx_model_verrx(int status, const char *format, va_list arguments) {
    warn_with(-1, format, arguments);
    plx_model_exit(status);
}

#define VARIADIC_VOID(call)                                                                        \
    do {                                                                                           \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        call;                                                                                      \
        va_end(list);                                                                              \
    } while (0)

void plx_model_warn(const char *format, ...) {
    VARIADIC_VOID(plx_model_vwarn(format, list));
}

void plx_model_warnx(const char *format, ...) {
    VARIADIC_VOID(plx_model_vwarnx(format, list));
}

void plx_model_err(int status, const char *format, ...) {
    VARIADIC_VOID(plx_model_verr(status, format, list));
}

void plx_model_errx(int status, const char *format, ...) {
    VARIADIC_VOID(plx_model_verrx(status, format, list));
}
