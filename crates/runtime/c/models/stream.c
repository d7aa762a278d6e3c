// Input by stdio, and what opens, closes, positions and flushes streams.
//
// Decision: see stream.h. One byte at a time is read as one branch on the length of the input (is
// there another byte?), a block as two, like read(2). A pushed-back byte keeps the label that it was
// pushed back with. The table of streams is a cache for reading, and remembers for writing what was
// output already; a stream is in it from its first use until it is closed.
#define _GNU_SOURCE
#include "stream.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STREAMS_ROOM 64
// Of glibc's FILE: pushed-back bytes are being read; the buffer is being written.
#define FLAG_IN_BACKUP 0x0100
#define FLAG_UNBUFFERED 0x0002
#define FLAG_LINE_BUFFERED 0x0200

extern int __underflow(FILE *stream);
extern int __overflow(FILE *stream, int byte);
extern void *plx_model_malloc(size_t length);
extern void *plx_model_realloc(void *object, size_t length);

static struct plx_stream streams[STREAMS_ROOM];
static struct plx_stream *recent;
static unsigned next_victim;

// ---- The table -----------------------------------------------------------------------------------

static struct plx_stream *find_stream(FILE *stream) {
    for (unsigned i = 0; i < STREAMS_ROOM; i++)
        if (streams[i].stream == stream) return &streams[i];
    return NULL;
}

static struct plx_stream *new_stream(FILE *stream) {
    struct plx_stream *state = find_stream(NULL);
    if (!state) {
        state = &streams[next_victim++ % STREAMS_ROOM];
        plx_stream_settle(state);
    }
    *state = (struct plx_stream){.stream = stream, .seen = stream->_IO_write_ptr};
    return state;
}

struct plx_stream *plx_stream_of(FILE *stream) {
    stream = PLX_PINNED(stream, PLX_PIN_OPERATION);
    if (recent && recent->stream == stream) return recent;
    recent = find_stream(stream);
    if (!recent) recent = new_stream(stream);
    return recent;
}

void plx_stream_forget(struct plx_stream *state) {
    FILE *stream = state->stream;
    plx_stream_settle(state);
    if (stream->_IO_buf_base)
        plx_clear(stream->_IO_buf_base, (size_t)(stream->_IO_buf_end - stream->_IO_buf_base));
    if (stream->_flags & FLAG_IN_BACKUP)
        plx_clear(stream->_IO_read_base, (size_t)(stream->_IO_read_end - stream->_IO_read_base));
    state->stream = NULL;
    recent = NULL;
}

static void settle_at_exit(void) {
    if (plx_tracing()) plx_streams_settle();
}

void plx_streams_start(void) {
    atexit(settle_at_exit);
}

// ---- Output --------------------------------------------------------------------------------------

// Memory streams have no descriptor: what is printed there is not output.
static void output(FILE *stream, const void *from, size_t length) {
    if (stream->_fileno >= 0 && length > 0) plx_output_bytes(stream->_fileno, from, length);
}

static void note_writing(struct plx_stream *state) {
    if (state->writes) return;
    state->writes = 1;
    if (state->stream->_fileno >= 0) plx_file_written(state->stream->_fileno);
}

void plx_stream_settle(struct plx_stream *state) {
    FILE *stream = state->stream;
    char *start = stream->_IO_write_base, *end = stream->_IO_write_ptr;
    if (end <= start || state->seen == end) return;
    // A seen place outside the buffer is from before a flush that no model saw.
    if (state->seen > start && state->seen < end) start = state->seen;
    note_writing(state);
    output(stream, start, (size_t)(end - start));
    plx_clear(start, (size_t)(end - start));
    state->seen = end;
    state->to = NULL;
}

void plx_streams_settle(void) {
    for (unsigned i = 0; i < STREAMS_ROOM; i++)
        if (streams[i].stream) plx_stream_settle(&streams[i]);
}

void plx_stream_wrote(struct plx_stream *state) {
    state->seen = state->stream->_IO_write_ptr;
}

void plx_stream_starts_writing(struct plx_stream *state) {
    plx_stream_settle(state);
    note_writing(state);
}

size_t plx_stream_write(struct plx_stream *state, const void *from, size_t length) {
    plx_stream_starts_writing(state);
    output(state->stream, from, length);
    size_t written = fwrite(from, 1, length, state->stream);
    plx_stream_wrote(state);
    return written;
}

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
    output(stream, &printed, 1);
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
        output(state->stream, &printed, 1);
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
    if (plx_stream_write(plx_stream_of(stdout), text, length) != length) return EOF;
    if (put('\n', stdout) == EOF) return EOF;
    return length + 1 > INT32_MAX ? INT32_MAX : (int)length + 1;
}

int plx_model_fflush(FILE *stream) {
    if (!plx_tracing()) return fflush(stream);
    if (!stream) {
        plx_streams_settle();
        int result = fflush(NULL);
        for (unsigned i = 0; i < STREAMS_ROOM; i++)
            if (streams[i].stream) plx_stream_relabel(&streams[i]);
        return result;
    }
    struct plx_stream *state = plx_stream_of(stream);
    plx_stream_settle(state);
    int result = fflush(state->stream);
    plx_stream_relabel(state);
    return result;
}
PLX_ALIAS(fflush_unlocked, fflush);

// ---- Reading -------------------------------------------------------------------------------------

static int in_backup(const FILE *stream) {
    return (stream->_flags & FLAG_IN_BACKUP) != 0;
}

static void look_up_file(struct plx_stream *state) {
    int error = errno;
    int descriptor = state->stream->_fileno;
    uint64_t size = 0;
    state->file = descriptor < 0 ? NULL : plx_file_read(descriptor, &size);
    int64_t end = state->file ? lseek(descriptor, 0, SEEK_CUR) : 0;
    if (end < 0) state->file = NULL;
    state->end = (uint64_t)end;
    if (state->file) state->length = plx_file_length(state->file, size);
    errno = error;
}

static void label_buffer(struct plx_stream *state) {
    FILE *stream = state->stream;
    state->from = stream->_IO_read_base;
    state->to = stream->_IO_read_end;
    size_t length = (size_t)(state->to - state->from);
    if (length == 0) return;
    // glibc loses its place when a byte pushed back before the start of the file is flushed.
    if (state->end < length) state->file = NULL;
    if (state->file)
        plx_label_input(state->from, length, state->file->input, state->end - length);
    else
        plx_clear(state->from, length);
}

// Whether the stream is written to at the moment: its buffer holds nothing to read.
static int is_writing(const FILE *stream) {
    return stream->_IO_write_ptr > stream->_IO_write_base;
}

// Whether the buffer still is the one that got its labels last.
static int is_labelled(const struct plx_stream *state, const struct plx_stream *before) {
    return before->to && !before->pushed && before->to == state->stream->_IO_read_end &&
           before->from <= state->stream->_IO_read_base && before->end == state->end &&
           before->file == state->file;
}

void plx_stream_relabel(struct plx_stream *state) {
    struct plx_stream before = *state;
    plx_stream_wrote(state);
    state->to = NULL;
    state->pushed = 0;
    if (in_backup(state->stream) || is_writing(state->stream)) return;
    look_up_file(state);
    if (is_labelled(state, &before))
        state->to = before.to;
    else
        label_buffer(state);
}

// Reading from a stream without a full buffer may flush standard output first.
static void refill(struct plx_stream *state) {
    struct plx_stream *other = NULL;
    if (state->stream->_flags & (FLAG_UNBUFFERED | FLAG_LINE_BUFFERED)) other = find_stream(stdout);
    if (other) plx_stream_settle(other);
    plx_stream_settle(state);
    __underflow(state->stream);
    if (other) plx_stream_wrote(other);
    plx_stream_relabel(state);
}

static int is_empty(const FILE *stream) {
    return stream->_IO_read_ptr >= stream->_IO_read_end;
}

// Makes the buffer hold something with the right labels, unless the end is reached.
static void look(struct plx_stream *state) {
    FILE *stream = state->stream;
    if (is_empty(stream))
        refill(state);
    else if (!in_backup(stream) &&
             (stream->_IO_read_end != state->to || stream->_IO_read_base < state->from))
        plx_stream_relabel(state);
}

// Place in the file of the next byte.
static uint64_t place(const struct plx_stream *state) {
    return state->end - (uint64_t)(state->stream->_IO_read_end - state->stream->_IO_read_ptr);
}

int plx_stream_ready(struct plx_stream *state) {
    FILE *stream = state->stream;
    look(state);
    if (in_backup(stream)) return 1;
    int failed = is_empty(stream) && !(stream->_flags & _IO_EOF_SEEN);
    if (!state->file || failed) return !is_empty(stream);
    (void)plx_is_before(place(state), state->length);
    return !is_empty(stream);
}

int plx_stream_next(struct plx_stream *state) {
    if (!plx_stream_ready(state)) return EOF;
    return (unsigned char)*state->stream->_IO_read_ptr++;
}

void plx_stream_back(struct plx_stream *state) {
    FILE *stream = state->stream;
    stream->_IO_read_ptr--;
    stream->_flags &= ~_IO_EOF_SEEN;
}

const char *plx_stream_chunk(struct plx_stream *state, size_t *room) {
    FILE *stream = state->stream;
    look(state);
    *room = is_empty(stream) ? 0 : (size_t)(stream->_IO_read_end - stream->_IO_read_ptr);
    return state->file || in_backup(stream) ? NULL : stream->_IO_read_ptr;
}

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

extern int __uflow(FILE *stream);

// What the macros have read from the buffer was there: the input is at least as long.
static void note_consumed(struct plx_stream *state) {
    if (state->file && !in_backup(state->stream) && state->to == state->stream->_IO_read_end &&
        is_empty(state->stream))
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
    if (room > 0 && (size_t)room > limit) abort();
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
        look(state);
        if (is_empty(stream)) break;
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
    look(state);
    while (pushed < concrete && in_backup(state->stream) && !is_empty(state->stream)) {
        to[pushed++] = *state->stream->_IO_read_ptr++;
        if (pushed < concrete) look(state);
    }
    if (pushed > 0) concrete = wanted = PLX_PIN_LENGTH(wanted);
    if (pushed == concrete) return wanted;
    uint64_t at = place(state);
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
    if (size && count > room / size) abort();
    return plx_model_fread(to, size, count, stream);
}
PLX_ALIAS(__fread_unlocked_chk, __fread_chk);

// ---- Positions -----------------------------------------------------------------------------------

static void pin_position(struct plx_stream *state) {
    if (state->file) (void)PLX_PINNED(state->length, PLX_PIN_OPERATION);
}

int plx_model_fseeko(FILE *stream, off_t offset, int whence) {
    if (!plx_tracing()) return fseeko(stream, offset, whence);
    struct plx_stream *state = plx_stream_of(stream);
    offset = PLX_PINNED(offset, PLX_PIN_OPERATION);
    whence = PLX_PINNED(whence, PLX_PIN_OPERATION);
    plx_stream_settle(state);
    int result = fseeko(state->stream, offset, whence);
    int ended = state->ended;
    plx_stream_relabel(state);
    if (result != 0) return result;
    if ((whence == SEEK_END || (whence == SEEK_CUR && ended)) && offset != 0) pin_position(state);
    state->ended = offset == 0 && (whence == SEEK_END || (whence == SEEK_CUR && ended));
    return result;
}
PLX_ALIAS(fseeko64, fseeko);
PLX_ALIAS(fseek, fseeko);

void plx_model_rewind(FILE *stream) {
    if (!plx_tracing()) {
        rewind(stream);
        return;
    }
    struct plx_stream *state = plx_stream_of(stream);
    plx_stream_settle(state);
    rewind(state->stream);
    plx_stream_relabel(state);
    state->ended = 0;
}

off_t plx_model_ftello(FILE *stream) {
    if (!plx_tracing()) return ftello(stream);
    struct plx_stream *state = plx_stream_of(stream);
    off_t at = ftello(state->stream);
    if (!state->ended || is_writing(state->stream)) return at;
    look_up_file(state);
    if (!state->file || at < 0 || (uint64_t)at != PLX_WITHOUT_LABEL(state->length)) return at;
    return (off_t)state->length;
}
PLX_ALIAS(ftello64, ftello);
PLX_ALIAS(ftell, ftello);

int plx_model_fgetpos(FILE *stream, fpos_t *position) {
    stream = PLX_PINNED(stream, PLX_PIN_OPERATION);
    int result = fgetpos(stream, position);
    if (plx_tracing()) plx_clear(position, sizeof *position);
    return result;
}
PLX_ALIAS(fgetpos64, fgetpos);

int plx_model_fsetpos(FILE *stream, const fpos_t *position) {
    if (!plx_tracing()) return fsetpos(stream, position);
    struct plx_stream *state = plx_stream_of(stream);
    plx_stream_settle(state);
    int result = fsetpos(state->stream, position);
    plx_stream_relabel(state);
    state->ended = 0;
    return result;
}
PLX_ALIAS(fsetpos64, fsetpos);

// ---- Opening and closing -------------------------------------------------------------------------

static int makes_file(const char *mode, struct plx_named named) {
    return mode[0] == 'w' || (mode[0] == 'a' && !named.exists);
}

static struct plx_named look_at_path(const char *path, const char *mode) {
    struct plx_named named = plx_file_named(AT_FDCWD, path);
    if (mode[0] == 'r') plx_file_choice(named);
    return named;
}

FILE *plx_model_fopen(const char *path, const char *mode) {
    if (!plx_tracing()) return fopen(path, mode);
    path = plx_pin_string(path);
    mode = plx_pin_string(mode);
    struct plx_named named = look_at_path(path, mode);
    FILE *stream = fopen(path, mode);
    if (stream) plx_file_opened(named, fileno(stream), makes_file(mode, named));
    return stream;
}
PLX_ALIAS(fopen64, fopen);

FILE *plx_model_freopen(const char *path, const char *mode, FILE *stream) {
    if (!plx_tracing()) return freopen(path, mode, stream);
    path = plx_pin_string(path);
    mode = plx_pin_string(mode);
    struct plx_stream *state = plx_stream_of(stream);
    stream = state->stream;
    plx_stream_forget(state);
    if (!path) return freopen(path, mode, stream);
    struct plx_named named = look_at_path(path, mode);
    FILE *opened = freopen(path, mode, stream);
    if (opened) plx_file_opened(named, fileno(opened), makes_file(mode, named));
    return opened;
}
PLX_ALIAS(freopen64, freopen);

int plx_model_fclose(FILE *stream) {
    if (!plx_tracing()) return fclose(stream);
    struct plx_stream *state = plx_stream_of(stream);
    stream = state->stream;
    plx_stream_forget(state);
    return fclose(stream);
}

int plx_model_pclose(FILE *stream) {
    if (!plx_tracing()) return pclose(stream);
    struct plx_stream *state = plx_stream_of(stream);
    stream = state->stream;
    plx_stream_forget(state);
    return pclose(stream);
}

int plx_model_fcloseall(void) {
    for (unsigned i = 0; i < STREAMS_ROOM && plx_tracing(); i++)
        if (streams[i].stream) plx_stream_forget(&streams[i]);
    return fcloseall();
}

// The buffer that the stream had until now belongs to the program again.
int plx_model_setvbuf(FILE *stream, char *buffer, int mode, size_t length) {
    if (!plx_tracing()) return setvbuf(stream, buffer, mode, length);
    struct plx_stream *state = plx_stream_of(stream);
    buffer = PLX_PIN_POINTER(buffer);
    mode = PLX_PINNED(mode, PLX_PIN_OPERATION);
    length = PLX_PIN_LENGTH(length);
    plx_stream_settle(state);
    int result = setvbuf(state->stream, buffer, mode, length);
    plx_stream_relabel(state);
    return result;
}

void plx_model_setbuf(FILE *stream, char *buffer) {
    plx_model_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

void plx_model_setbuffer(FILE *stream, char *buffer, size_t length) {
    plx_model_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, length);
}

void plx_model_setlinebuf(FILE *stream) {
    plx_model_setvbuf(stream, NULL, _IOLBF, 0);
}

extern void __fpurge(FILE *stream);

void plx_model___fpurge(FILE *stream) {
    stream = PLX_PINNED(stream, PLX_PIN_OPERATION);
    __fpurge(stream);
    if (plx_tracing()) plx_stream_relabel(plx_stream_of(stream));
}
