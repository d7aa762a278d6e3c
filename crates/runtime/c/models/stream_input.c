// Input by stdio.
//
// Decision: one byte at a time is read as one branch on the length of the input (is there another
// byte?), a block as two, like read(2). A pushed-back byte keeps the label that it was pushed back
// with.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "stream.h"

extern int __uflow(FILE *stream);
extern int __underflow(FILE *stream);
extern void *plx_model_realloc(void *object, size_t length);

// ---- Bytes ---------------------------------------------------------------------------------------

static void copy(void *to, const void *from, size_t length) {
    memcpy(to, from, length);
    plx_copy_labels(to, from, length);
}

int plx_model_fgetc(FILE *stream) {
    return plx_tracing() ? plx_stream_next(plx_stream_of(stream)) : fgetc(stream);
}
PLX_ALIAS(getc, fgetc);
PLX_ALIAS(_IO_getc, fgetc);
PLX_ALIAS(getc_unlocked, fgetc);
PLX_ALIAS(fgetc_unlocked, fgetc);

int plx_model_getchar(void) {
    return plx_tracing() ? plx_stream_next(plx_stream_of(stdin)) : getchar();
}
PLX_ALIAS(getchar_unlocked, getchar);

// What the macros have read from the buffer was there: the input is at least as long.
static void note_consumed(struct plx_stream *state) {
    if (state->file && !plx_in_backup(state->stream) && state->to == state->stream->_IO_read_end &&
        plx_is_empty(state->stream))
        (void)plx_is_before(state->length, state->end);
}

int plx_model___uflow(FILE *stream) {
    if (!plx_tracing()) return __uflow(stream);
    struct plx_stream *state = plx_stream_of(stream);
    note_consumed(state);
    return plx_stream_next(state);
}

int plx_model___underflow(FILE *stream) {
    if (!plx_tracing()) return __underflow(stream);
    struct plx_stream *state = plx_stream_of(stream);
    note_consumed(state);
    if (!plx_stream_ready(state)) return EOF;
    return (unsigned char)*state->stream->_IO_read_ptr;
}

int plx_model_getw(FILE *stream) {
    if (!plx_tracing()) return getw(stream);
    struct plx_stream *state = plx_stream_of(stream);
    union {
        unsigned char bytes[sizeof(int)];
        int word;
    } read;
    for (size_t i = 0; i < sizeof read.bytes; i++) {
        int byte = plx_stream_next(state);
        if (PLX_INT_WITHOUT_LABEL(byte) == EOF) return EOF;
        read.bytes[i] = (unsigned char)byte;
    }
    return read.word;
}

int plx_model_ungetc(int byte, FILE *stream) {
    if (!plx_tracing()) return ungetc(byte, stream);
    struct plx_stream *state = plx_stream_of(stream);
    plx_stream_settle(state);
    int result = ungetc(PLX_INT_WITHOUT_LABEL(byte), state->stream);
    if (result == EOF) return EOF;
    *state->stream->_IO_read_ptr = (char)byte;
    state->pushed = 1;
    return (unsigned char)byte;
}

// ---- Lines ---------------------------------------------------------------------------------------

// Reads up to `room` bytes, the delimiter the last of them; returns how many.
static size_t read_line(struct plx_stream *state, char *to, size_t room, int delimiter, int *found) {
    size_t used = 0, ready;
    *found = 0;
    while (used < room && !*found) {
        const char *chunk = plx_stream_chunk(state, &ready);
        if (chunk) {
            if (ready == 0) break;
            if (ready > room - used) ready = room - used;
            const char *end = memchr(chunk, delimiter, ready);
            if (end) ready = (size_t)(end - chunk) + 1;
            copy(to + used, chunk, ready);
            state->stream->_IO_read_ptr += ready;
            used += ready;
            *found = end != NULL;
            continue;
        }
        if (!plx_stream_ready(state)) break;
        unsigned char byte = (unsigned char)*state->stream->_IO_read_ptr++;
        to[used++] = (char)byte;
        if (byte == (unsigned char)delimiter) *found = 1;
    }
    return used;
}

char *plx_model_fgets(char *to, int room, FILE *stream) {
    if (!plx_tracing()) return fgets(to, room, stream);
    to = PLX_PIN_POINTER(to);
    room = PLX_PIN_LENGTH(room);
    if (room <= 0) return NULL;
    if (room == 1) {
        to[0] = '\0';
        return to;
    }
    struct plx_stream *state = plx_stream_of(stream);
    int found, failed = state->stream->_flags & _IO_ERR_SEEN;
    state->stream->_flags &= ~_IO_ERR_SEEN;
    size_t used = read_line(state, to, (size_t)room - 1, '\n', &found);
    int fails = (state->stream->_flags & _IO_ERR_SEEN) && errno != EAGAIN;
    state->stream->_flags |= failed;
    if (used == 0 || fails) return NULL;
    to[used] = '\0';
    return to;
}
PLX_ALIAS(fgets_unlocked, fgets);

char *plx_model___fgets_chk(char *to, size_t limit, int room, FILE *stream) {
    if (room > 0 && (size_t)room > limit) __chk_fail();
    return plx_model_fgets(to, room, stream);
}
PLX_ALIAS(__fgets_unlocked_chk, __fgets_chk);

// Room for one more byte and a NUL after `used` bytes.
static int grow_line(char **line, size_t *room, size_t used) {
    if (*line && *room >= used + 2) return 1;
    size_t wanted = *line && *room ? *room * 2 : 120;
    if (wanted < used + 2) wanted = used + 2;
    char *grown = plx_model_realloc(*line, wanted);
    if (!grown) return 0;
    *line = grown;
    *room = wanted;
    return 1;
}

static ssize_t get_line(char **line, size_t *room, int delimiter, struct plx_stream *state) {
    size_t used = 0;
    int found = 0;
    if (!*line) *room = 0;
    do {
        if (!grow_line(line, room, used)) return -1;
        size_t got = read_line(state, *line + used, *room - used - 1, delimiter, &found);
        used += got;
    } while (!found && used + 1 == *room);
    if (used == 0) return -1;
    (*line)[used] = '\0';
    return (ssize_t)used;
}

ssize_t plx_model_getdelim(char **line, size_t *room, int delimiter, FILE *stream) {
    if (!plx_tracing() || !line || !room) return getdelim(line, room, delimiter, stream);
    (void)PLX_PIN_POINTER(*line);
    *room = PLX_PIN_LENGTH(*room);
    return get_line(line, room, PLX_PINNED(delimiter, PLX_PIN_OPERATION), plx_stream_of(stream));
}
PLX_ALIAS(__getdelim, getdelim);

ssize_t plx_model_getline(char **line, size_t *room, FILE *stream) {
    return plx_model_getdelim(line, room, '\n', stream);
}

// ---- Blocks --------------------------------------------------------------------------------------

// Takes `wanted` bytes from the buffer as it is refilled; returns how many there were.
static size_t take(struct plx_stream *state, char *to, size_t wanted) {
    FILE *stream = state->stream;
    size_t used = 0;
    while (used < wanted) {
        plx_stream_look(state);
        if (plx_is_empty(stream)) break;
        size_t ready = (size_t)(stream->_IO_read_end - stream->_IO_read_ptr);
        if (ready > wanted - used) ready = wanted - used;
        copy(to + used, stream->_IO_read_ptr, ready);
        stream->_IO_read_ptr += ready;
        used += ready;
    }
    return used;
}

// How many of the `wanted` bytes at `at` there are, after the real ones were `got`.
static size_t taken(struct plx_stream *state, uint64_t at, size_t wanted, size_t got) {
    size_t concrete = PLX_WITHOUT_LABEL(wanted);
    uint64_t size = PLX_WITHOUT_LABEL(state->length), left = at < size ? size - at : 0;
    if (got != (left < concrete ? left : concrete)) return got;
    if (concrete != left) wanted = PLX_PIN_LENGTH(wanted);
    if (!plx_is_before(at, state->length)) return 0;
    if (state->length >= at + wanted) {
        if (!PLX_IS_CONCRETE(wanted)) state->ended = 1;
        return wanted;
    }
    state->ended = 1;
    return state->length - at;
}

static size_t read_block(struct plx_stream *state, char *to, size_t wanted) {
    size_t pushed = 0, concrete = PLX_WITHOUT_LABEL(wanted);
    plx_stream_look(state);
    while (pushed < concrete && plx_in_backup(state->stream) && !plx_is_empty(state->stream)) {
        to[pushed++] = *state->stream->_IO_read_ptr++;
        if (pushed < concrete) plx_stream_look(state);
    }
    if (pushed > 0) concrete = wanted = PLX_PIN_LENGTH(wanted);
    if (pushed == concrete) return wanted;
    uint64_t at = plx_stream_place(state);
    size_t got = take(state, to + pushed, concrete - pushed);
    if (!state->file) return pushed + got;
    return pushed + taken(state, at, wanted - pushed, got);
}

size_t plx_model_fread(void *to, size_t size, size_t count, FILE *stream) {
    if (!plx_tracing()) return fread(to, size, count, stream);
    to = PLX_PIN_POINTER(to);
    size = PLX_PIN_LENGTH(size);
    if (PLX_WITHOUT_LABEL(size * count) == 0) return PLX_PIN_LENGTH(size * count);
    size_t got = read_block(plx_stream_of(stream), to, size * count);
    return size == 1 ? got : got / size;
}
PLX_ALIAS(fread_unlocked, fread);

size_t plx_model___fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream) {
    if (size && count > room / size) __chk_fail();
    return plx_model_fread(to, size, count, stream);
}
PLX_ALIAS(__fread_unlocked_chk, __fread_chk);
