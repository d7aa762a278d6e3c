// Random sequences of stdio calls, by the models on one stream and by the library on another.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "effects_stub.h"

extern int plx_model___uflow(FILE *stream);
extern int plx_model___underflow(FILE *stream);
extern int plx_model___overflow(FILE *stream, int byte);
extern int plx_model_fgetc(FILE *stream);
extern char *plx_model_fgets(char *to, int room, FILE *stream);
extern size_t plx_model_fread(void *to, size_t size, size_t count, FILE *stream);
extern ssize_t plx_model_getdelim(char **line, size_t *room, int delimiter, FILE *stream);
extern int plx_model_ungetc(int byte, FILE *stream);
extern int plx_model_fseek(FILE *stream, long offset, int whence);
extern long plx_model_ftell(FILE *stream);
extern void plx_model_rewind(FILE *stream);
extern int plx_model_fgetpos(FILE *stream, fpos_t *position);
extern int plx_model_fsetpos(FILE *stream, const fpos_t *position);
extern int plx_model_fflush(FILE *stream);
extern int plx_model_fclose(FILE *stream);
extern FILE *plx_model_fopen(const char *path, const char *mode);
extern int plx_model_setvbuf(FILE *stream, char *buffer, int mode, size_t length);
extern int plx_model_fscanf(FILE *stream, const char *format, ...);
extern int plx_model_getw(FILE *stream);
extern int plx_model_fputc(int byte, FILE *stream);
extern int plx_model_putw(int word, FILE *stream);
extern int plx_model_fputs(const char *text, FILE *stream);
extern size_t plx_model_fwrite(const void *from, size_t size, size_t count, FILE *stream);
extern int plx_model_fprintf(FILE *stream, const char *format, ...);
extern void plx_model_free(void *object);

// The same file twice: what the models do to one, the library does to the other.
static FILE *model, *native;
static int last = 'x';

// What the macros of the headers do, calling the models.
static int macro_get(FILE *stream) {
    return stream->_IO_read_ptr >= stream->_IO_read_end ? plx_model___uflow(stream)
                                                        : *(unsigned char *)stream->_IO_read_ptr++;
}
static int macro_put(int byte, FILE *stream) {
    return stream->_IO_write_ptr >= stream->_IO_write_end
               ? plx_model___overflow(stream, (unsigned char)byte)
               : (unsigned char)(*stream->_IO_write_ptr++ = (char)byte);
}

// ---- Reading -----------------------------------------------------------------------------------------

// Every byte that can be read next has the label of its place.
static void check_labels(uint32_t input) {
    if ((model->_flags & 0x100) || input == plx_no_input) return;
    long at = ftell(model);
    for (char *byte = model->_IO_read_ptr; byte < model->_IO_read_end; byte++, at++)
        if (byte > model->_IO_read_ptr || model->_IO_read_ptr == model->_IO_read_base)
            CHECK(plx_label_at(byte) == STUB_LABEL(input, at));
}

static void same_state(void) {
    CHECK(feof(model) == feof(native));
    CHECK(ferror(model) == ferror(native));
    CHECK(plx_model_ftell(model) == ftell(native));
}

static void read_byte(void) {
    int expected = getc(native);
    int got = stub_random(2) ? plx_model_fgetc(model) : macro_get(model);
    CHECK(got == expected);
    if (got != EOF) last = got;
}

static void peek(void) {
    int expected = getc(native), got = plx_model___underflow(model);
    CHECK(got == expected);
    if (expected != EOF) ungetc(expected, native);
}

static void read_string(void) {
    char one[300], other[300];
    int room = (int)stub_random(sizeof one);
    memset(one, '#', sizeof one);
    memset(other, '#', sizeof other);
    CHECK((plx_model_fgets(one, room, model) == one) == (fgets(other, room, native) == other));
    CHECK(memcmp(one, other, sizeof one) == 0);
}

static void read_line(int delimiter) {
    static char *one, *other;
    static size_t one_room, other_room;
    if (stub_random(4) == 0) {
        plx_model_free(one);
        free(other);
        one = other = NULL;
    }
    ssize_t length = plx_model_getdelim(&one, &one_room, delimiter, model);
    CHECK(length == getdelim(&other, &other_room, delimiter, native));
    if (length >= 0) CHECK(memcmp(one, other, (size_t)length + 1) == 0);
}

static void read_block(uint32_t input) {
    char one[9000], other[9000];
    size_t size = 1 + stub_random(9), count = stub_random(stub_random(4) ? 30 : 1000);
    long at = ftell(model);
    int pushed = model->_flags & 0x100;
    memset(one, '#', sizeof one);
    memset(other, '#', sizeof other);
    size_t got = plx_model_fread(one, size, count, model);
    CHECK(got == fread(other, size, count, native));
    CHECK(memcmp(one, other, sizeof one) == 0);
    for (size_t i = 1; i < got * size && !pushed && input != plx_no_input; i++)
        CHECK(plx_label_at(one + i) == STUB_LABEL(input, at + (long)i));
    plx_clear(one, sizeof one);
}

static void push_back(void) {
    int byte = stub_random(3) ? last : (int)stub_random(256);
    if (stub_random(20) == 0) byte = EOF;
    CHECK(plx_model_ungetc(byte, model) == ungetc(byte, native));
}

static void seek(long length) {
    int whence = (int)stub_random(3);
    long offset = (long)stub_random(length + 10);
    if (whence == SEEK_END) offset = -offset;
    if (whence == SEEK_CUR) offset = (long)stub_random(400) - 200;
    errno = 0;
    int got = plx_model_fseek(model, offset, whence), error = errno;
    errno = 0;
    CHECK(got == fseek(native, offset, whence));
    CHECK(error == errno);
}

static void keep_position(void) {
    static fpos_t one, other;
    static int kept;
    if (kept && stub_random(2)) {
        CHECK(plx_model_fsetpos(model, &one) == fsetpos(native, &other));
    } else {
        kept = 1;
        CHECK(plx_model_fgetpos(model, &one) == fgetpos(native, &other));
    }
}

static void scan(void) {
    static const char *const formats[] = {
        "%d",       "%3d",         "%i",       "%x",       "%o",          "%u",      "%5c",
        "%390s",    "%4s",         "%390[a-z]", "%390[^\n]", "%*d%ld",     "%lf",     "%f",
        "%hhd",     "%hd%n",       " %c",      "%%%d",     "a%d b%390s",  "%3lf",    "%4i",
        "%zx",      "%lld",        "%p",       "%2x",      "%5lf",        "%*s%d",   "%390[]0-9-]",
        "%d,%d",    "%10[0-9a-f]", "%ld %lf",  "%d%%",     "%hx",         "%n%390s", "%1d%1lf",
    };
    const char *format = formats[stub_random(sizeof formats / sizeof *formats)];
    union {
        char bytes[400];
        long double align;
    } one[2], other[2];
    memset(one, '#', sizeof one);
    memset(other, '#', sizeof other);
    errno = 0;
    int got = plx_model_fscanf(model, format, &one[0], &one[1]), error = errno;
    errno = 0;
    int expected = fscanf(native, format, &other[0], &other[1]);
    if (got != expected || error != errno || memcmp(one, other, sizeof one))
        fprintf(stderr, "%s: %d %d [%.20s] [%.20s] %d %d\n", format, got, expected, one[0].bytes, other[0].bytes, error, errno);
    CHECK(got == expected && error == errno);
    CHECK(memcmp(one, other, sizeof one) == 0);
}

static void step_of_reading(long length, uint32_t input) {
    switch (stub_random(14)) {
    case 0: read_string(); break;
    case 1: read_line('\n'); break;
    case 2: read_line('7'); break;
    case 3: read_block(input); break;
    case 4: push_back(); break;
    case 5: seek(length); break;
    case 6: keep_position(); break;
    case 7: peek(); break;
    case 8:
    case 9: scan(); break;
    case 10:
        if (stub_random(10) == 0) plx_model_rewind(model), rewind(native);
        break;
    case 11:
        // The library itself loses its place with bytes pushed back.
        if (stub_random(10) == 0 && !(model->_flags & 0x100))
            CHECK(plx_model_fflush(model) == fflush(native));
        break;
    case 12:
        if (stub_random(5) == 0) clearerr(model), clearerr(native);
        if (stub_random(5) == 0) CHECK(plx_model_getw(model) == getw(native));
        break;
    default: read_byte();
    }
}

// Text with many numbers, so that scanf has something to do.
static long make_file(const char *path) {
    static const char *const words[] = {"12",  " ",    "\n",   "-7",   "0x1f", "abc", "1.5e3", "x",
                                        "\t",  "077",  "nan",  "inf",  "infx", "9999999999999999999999",
                                        "+",   "-",    "0x",   "1e",   "%",    ",",   "a5 bcd ", "0",
                                        ".",   "(nil)", "(n",  "]",    "1e+",  "0x.8p1", "-0", "\xff"};
    FILE *file = fopen(path, "w");
    CHECK(file);
    unsigned count = stub_random(6) ? stub_random(300) : stub_random(6000);
    for (unsigned i = 0; i < count; i++) {
        if (stub_random(10) == 0)
            putc((int)stub_random(256), file);
        else
            fputs(words[stub_random(sizeof words / sizeof *words)], file);
    }
    long length = ftell(file);
    fclose(file);
    return length;
}

static void choose_buffers(char *one, char *other, size_t room) {
    static const int modes[] = {_IOFBF, _IOLBF, _IONBF};
    int mode = modes[stub_random(3)];
    size_t length = 2 + stub_random((unsigned)room - 2);
    if (stub_random(2)) return;
    CHECK(plx_model_setvbuf(model, one, mode, length) == setvbuf(native, other, mode, length));
}

void test_reading(void) {
    static char one[5000], other[5000];
    long length = make_file("text");
    model = plx_model_fopen("./text", "r");
    native = fopen("text", "r");
    CHECK(model && native);
    choose_buffers(one, other, sizeof one);
    uint32_t input = plx_input(PLX_INPUT_FILE, 0, "text");
    for (unsigned i = 0; i < 400; i++) {
        step_of_reading(length, input);
        same_state();
        check_labels(input);
    }
    CHECK(plx_model_fclose(model) == fclose(native));
    CHECK(plx_is_clean(one, sizeof one));
}

// A file outside of the first directory has no labels.
void test_reading_concrete(void) {
    long length = make_file("/tmp/parallax-effects");
    model = plx_model_fopen("/tmp/parallax-effects", "r");
    native = fopen("/tmp/parallax-effects", "r");
    unlink("/tmp/parallax-effects");
    CHECK(model && native);
    for (unsigned i = 0; i < 400; i++) {
        step_of_reading(length, plx_no_input);
        same_state();
        CHECK(plx_is_clean(model->_IO_read_base,
                           (size_t)(model->_IO_read_end - model->_IO_read_base)));
    }
    plx_model_fclose(model);
    fclose(native);
    CHECK(stub_exists == 0);
}

// ---- Writing -----------------------------------------------------------------------------------------

static const char *random_text(char *text, size_t room) {
    size_t length = stub_random((unsigned)room);
    for (size_t i = 0; i < length; i++) text[i] = (char)(' ' + stub_random(90));
    text[length] = '\0';
    return text;
}

#define PRINT(format, ...)                                                                         \
    CHECK(plx_model_fprintf(model, format, __VA_ARGS__) == fprintf(native, format, __VA_ARGS__))

static void print(void) {
    char text[900];
    int number = (int)stub_random(100000) - 50000, one = 0, other = 0;
    int width = (int)stub_random(9) - 4;
    random_text(text, stub_random(3) ? 20 : sizeof text);
    if (stub_random(4) == 0) number = (int)STUB_SYMBOLIC;
    unsigned long word = stub_random(3) ? stub_random(1000) : STUB_SYMBOLIC;
    switch (stub_random(12)) {
    case 0: PRINT("%d", number); break;
    case 1: PRINT("[%5d|%-8x|%+03i]\n", number, number, number); break;
    case 2: PRINT("%s and %s\n", text, text); break;
    case 3: PRINT("%30s|%-30s|%.5s|%10.3s\n", text, text, text, text); break;
    case 4: PRINT("%*d%-*.*s", width, number, 12, width, text); break;
    case 5: PRINT("%lu %#lo %lx%%\n", word, word, word); break;
    case 6: PRINT("%f %.3e %10g %c%c", number / 7.0, number * 1e5, 0.1, 'a' + number % 7, number); break;
    case 7: PRINT("%p %zu %hhd %hd", (void *)text, (size_t)number, number, number); break;
    case 8: PRINT("%2$s %1$d\n", number, text); break;
    case 9: PRINT("%m %s", text); break;
    case 10: PRINT("%.300f|%400d", 1 / 3.0, number); break;
    default:
        CHECK(plx_model_fprintf(model, "%s%n%d", text, &one, number) ==
              fprintf(native, "%s%n%d", text, &other, number));
        CHECK(one == other);
    }
}

static void step_of_writing(void) {
    char text[3000];
    int byte = stub_random(8) ? (int)stub_random(256) : '\n';
    switch (stub_random(9)) {
    case 0: CHECK(plx_model_fputc(byte, model) == fputc(byte, native)); break;
    case 1:
    case 2: CHECK(macro_put(byte, model) == putc_unlocked(byte, native)); break;
    case 3:
        random_text(text, stub_random(3) ? 30 : sizeof text);
        CHECK(plx_model_fputs(text, model) == fputs(text, native));
        break;
    case 4: {
        size_t size = stub_random(9), count = stub_random(300);
        random_text(text, sizeof text);
        CHECK(plx_model_fwrite(text, size, count, model) == fwrite(text, size, count, native));
        break;
    }
    case 5:
        if (stub_random(10) == 0) CHECK(plx_model_fflush(model) == fflush(native));
        break;
    case 6:
        if (stub_random(10) == 0) CHECK(plx_model_putw(byte, model) == putw(byte, native));
        break;
    default: print();
    }
}

static char *contents(const char *path, size_t *length) {
    FILE *file = fopen(path, "r");
    CHECK(file);
    char *bytes = malloc(1 << 22);
    *length = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static void same_files(const char *one, const char *other) {
    size_t length, other_length;
    char *bytes = contents(one, &length), *other_bytes = contents(other, &other_length);
    CHECK(length == other_length && memcmp(bytes, other_bytes, length) == 0);
    free(bytes);
    free(other_bytes);
}

// What was output is what the file holds, byte for byte and in order.
void test_writing(void) {
    static char one[5000], other[5000];
    model = plx_model_fopen("one", "w");
    native = fopen("two", "w");
    CHECK(model && native);
    int descriptor = fileno(model);
    choose_buffers(one, other, sizeof one);
    for (unsigned i = 0; i < 300; i++) {
        stub_nothing_is_clean = stub_random(3) == 0;
        step_of_writing();
        stub_nothing_is_clean = 0;
    }
    CHECK(plx_model_fclose(model) == fclose(native));
    same_files("one", "two");
    size_t length;
    char *bytes = contents("one", &length);
    CHECK(stub_outputs[descriptor].length == length);
    CHECK(memcmp(stub_outputs[descriptor].bytes, bytes, length) == 0);
    free(bytes);
    model = plx_model_fopen("one", "r");
    CHECK(model && plx_model_fgetc(model) >= EOF && plx_label_at(model->_IO_read_base) == 0);
    CHECK(stub_counters[PLX_COUNTER_REWRITTEN] > 0 && stub_exists == 0);
}

// Both on one stream, with the positioning between that the standard asks for.
void test_updating(void) {
    long length = make_file("one");
    char command[] = "cp one two";
    CHECK(system(command) == 0);
    model = plx_model_fopen("one", "r+");
    native = fopen("two", "r+");
    CHECK(model && native);
    for (unsigned i = 0; i < 60; i++) {
        unsigned steps = stub_random(9);
        seek(length);
        for (unsigned j = 0; j < steps; j++) step_of_reading(length, plx_no_input);
        seek(length);
        for (unsigned j = 0; j < steps; j++) step_of_writing();
        plx_model_fflush(model);
        fflush(native);
        CHECK(plx_model_ftell(model) == ftell(native));
    }
    CHECK(plx_model_fclose(model) == fclose(native));
    same_files("one", "two");
}
