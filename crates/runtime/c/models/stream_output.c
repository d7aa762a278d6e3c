// Output by stdio, apart from printf.
//
// Decision: a block is an event at once. Single bytes go to the stream's buffer, as the macro of the
// headers puts them there, and are output together: see stream.h.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "stream.h"

extern int __overflow(FILE *stream, int byte);

// As the macro of the headers: most bytes only go to the buffer and are output together later.
static int put(int byte, FILE *stream) {
    struct plx_stream *state = plx_stream_of(stream);
    stream = state->stream;
    if (stream->_IO_write_ptr < stream->_IO_write_end) {
        *stream->_IO_write_ptr++ = (char)byte;
        return (unsigned char)byte;
    }
    unsigned char printed = (unsigned char)byte;
    plx_stream_starts_writing(state);
    plx_stream_output(state, &printed, 1);
    int result = __overflow(stream, PLX_WITHOUT_LABEL(printed));
    plx_stream_wrote(state);
    return result == EOF ? EOF : printed;
}

int plx_model_fputc(int byte, FILE *stream) {
    return plx_tracing() ? put(byte, stream) : fputc(byte, stream);
}
PLX_ALIAS(putc, fputc);
PLX_ALIAS(_IO_putc, fputc);
PLX_ALIAS(fputc_unlocked, fputc);
PLX_ALIAS(putc_unlocked, fputc);

int plx_model_putchar(int byte) {
    return plx_tracing() ? put(byte, stdout) : putchar(byte);
}
PLX_ALIAS(putchar_unlocked, putchar);

// What the macros call when the buffer is full; EOF flushes.
int plx_model___overflow(FILE *stream, int byte) {
    if (!plx_tracing()) return __overflow(stream, byte);
    struct plx_stream *state = plx_stream_of(stream);
    plx_stream_starts_writing(state);
    if (PLX_INT_WITHOUT_LABEL(byte) != EOF) {
        unsigned char printed = (unsigned char)byte;
        plx_stream_output(state, &printed, 1);
    }
    int result = __overflow(state->stream, PLX_INT_WITHOUT_LABEL(byte));
    plx_stream_wrote(state);
    return result == EOF ? EOF : byte;
}

int plx_model_putw(int word, FILE *stream) {
    if (!plx_tracing()) return putw(word, stream);
    return plx_stream_write(plx_stream_of(stream), &word, sizeof word) < sizeof word ? EOF : 0;
}

size_t plx_model_fwrite(const void *from, size_t size, size_t count, FILE *stream) {
    if (!plx_tracing()) return fwrite(from, size, count, stream);
    size = PLX_PIN_LENGTH(size);
    count = PLX_PIN_LENGTH(count);
    if (size == 0 || count == 0) return 0;
    size_t written = plx_stream_write(plx_stream_of(stream), PLX_PIN_POINTER(from), size * count);
    return written == size * count ? count : written / size;
}
PLX_ALIAS(fwrite_unlocked, fwrite);

// The length of a string that is printed: a symbolic byte before its end is a branch.
static size_t printed_length(const char *text) {
    size_t length = strlen(text);
    if (plx_is_clean(text, length + 1)) return length;
    length = 0;
    while (text[length]) length++;
    return length;
}

int plx_model_fputs(const char *text, FILE *stream) {
    if (!plx_tracing()) return fputs(text, stream);
    text = PLX_PIN_POINTER(text);
    size_t length = printed_length(text);
    return plx_stream_write(plx_stream_of(stream), text, length) == length ? 1 : EOF;
}
PLX_ALIAS(fputs_unlocked, fputs);

int plx_model_puts(const char *text) {
    if (!plx_tracing()) return puts(text);
    text = PLX_PIN_POINTER(text);
    size_t length = printed_length(text);
    struct plx_stream *state = plx_stream_of(stdout);
    if (plx_stream_write(state, text, length) != length) return EOF;
    if (plx_stream_write(state, "\n", 1) != 1) return EOF;
    return length + 1 > INT32_MAX ? INT32_MAX : (int)length + 1;
}
