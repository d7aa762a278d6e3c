// The state of streams, and what opens, closes, positions and flushes them.
//
// Decision: see stream.h. The table of streams is a cache for reading, and remembers for writing what
// was output already; a stream is in it from its first use until it is closed.
#define _GNU_SOURCE
#include "stream.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STREAMS_ROOM 64
// Of glibc's FILE.
#define FLAG_UNBUFFERED 0x0002
#define FLAG_LINE_BUFFERED 0x0200
#define FLAG_IS_FILE 0x2000

extern int __underflow(FILE *stream);

static struct plx_stream streams[STREAMS_ROOM];
static struct plx_stream *recent;
static unsigned next_victim;
static uint8_t is_any_uncertain; // one that had no place any more

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
        is_any_uncertain |= state->uncertain;
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
    plx_file_channel_closed(stream);
    if (stream->_IO_buf_base)
        plx_clear(stream->_IO_buf_base, (size_t)(stream->_IO_buf_end - stream->_IO_buf_base));
    if (plx_in_backup(stream))
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

int plx_stream_descriptor(const FILE *stream) {
    return stream->_flags & FLAG_IS_FILE ? stream->_fileno : -1;
}

void plx_stream_output(struct plx_stream *state, const void *from, size_t length) {
    int descriptor = plx_stream_descriptor(state->stream);
    if (descriptor >= 0 && length > 0) plx_output_bytes(descriptor, from, length);
}

static void note_writing(struct plx_stream *state) {
    if (state->writes) return;
    state->writes = 1;
    int descriptor = plx_stream_descriptor(state->stream);
    if (descriptor < 0) return;
    plx_file_written(descriptor);
    plx_file_channel(descriptor, state->stream);
}

void plx_stream_settle(struct plx_stream *state) {
    FILE *stream = state->stream;
    char *start = stream->_IO_write_base, *end = stream->_IO_write_ptr;
    if (end <= start || state->seen == end) return;
    // A seen place outside the buffer is from before a flush that no model saw.
    if (state->seen > start && state->seen < end) start = state->seen;
    note_writing(state);
    plx_stream_output(state, start, (size_t)(end - start));
    plx_clear(start, (size_t)(end - start));
    state->seen = end;
    state->to = NULL;
}

void plx_streams_settle(void) {
    for (unsigned i = 0; i < STREAMS_ROOM; i++)
        if (streams[i].stream) plx_stream_settle(&streams[i]);
}

void plx_stream_uncertain(struct plx_stream *state) {
    state->uncertain |= plx_stream_descriptor(state->stream) >= 0 &&
                        !(state->stream->_flags & FLAG_UNBUFFERED);
}

void plx_streams_lost(int descriptor) {
    int uncertain = is_any_uncertain;
    for (unsigned i = 0; i < STREAMS_ROOM; i++)
        if (streams[i].stream && (descriptor < 0 || streams[i].stream->_fileno == descriptor))
            uncertain |= streams[i].uncertain;
    if (uncertain && plx_in_proof())
        plx_count(PLX_COUNTER_ROUTE, "losing numbers in the buffer of a stream");
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
    plx_stream_output(state, from, length);
    size_t written = fwrite(from, 1, length, state->stream);
    plx_stream_wrote(state);
    return written;
}

// ---- Reading -------------------------------------------------------------------------------------

static void look_up_file(struct plx_stream *state) {
    int error = errno;
    int descriptor = plx_stream_descriptor(state->stream);
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
    if (plx_in_backup(state->stream) || is_writing(state->stream)) return;
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

void plx_stream_look(struct plx_stream *state) {
    FILE *stream = state->stream;
    if (plx_is_empty(stream))
        refill(state);
    else if (!plx_in_backup(stream) &&
             (stream->_IO_read_end != state->to || stream->_IO_read_base < state->from))
        plx_stream_relabel(state);
}

uint64_t plx_stream_place(const struct plx_stream *state) {
    return state->end - (uint64_t)(state->stream->_IO_read_end - state->stream->_IO_read_ptr);
}

int plx_stream_ready(struct plx_stream *state) {
    FILE *stream = state->stream;
    plx_stream_look(state);
    if (plx_in_backup(stream)) return 1;
    int failed = plx_is_empty(stream) && !(stream->_flags & _IO_EOF_SEEN);
    if (!state->file || failed) return !plx_is_empty(stream);
    (void)plx_is_before(plx_stream_place(state), state->length);
    return !plx_is_empty(stream);
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
    plx_stream_look(state);
    *room = plx_is_empty(stream) ? 0 : (size_t)(stream->_IO_read_end - stream->_IO_read_ptr);
    return state->file || plx_in_backup(stream) ? NULL : stream->_IO_read_ptr;
}

// ---- Flushing ------------------------------------------------------------------------------------

static void flushed(struct plx_stream *state) {
    plx_stream_relabel(state);
    state->uncertain = 0;
}

int plx_model_fflush(FILE *stream) {
    if (!plx_tracing()) return fflush(stream);
    if (!stream) {
        plx_streams_settle();
        int result = fflush(NULL);
        for (unsigned i = 0; i < STREAMS_ROOM; i++)
            if (streams[i].stream) flushed(&streams[i]);
        return result;
    }
    struct plx_stream *state = plx_stream_of(stream);
    plx_stream_settle(state);
    int result = fflush(state->stream);
    flushed(state);
    return result;
}
PLX_ALIAS(fflush_unlocked, fflush);

// ---- Positions -----------------------------------------------------------------------------------

static void pin_position(struct plx_stream *state) {
    if (state->file) (void)PLX_PINNED(state->length, PLX_PIN_OPERATION);
}

// What is printed is known by its order, and not by where it is.
static void note_moved(FILE *stream) {
    if (plx_in_proof() && plx_file_is_written(fileno(stream))) plx_count(PLX_COUNTER_ROUTE, "fseek");
}

int plx_model_fseeko(FILE *stream, off_t offset, int whence) {
    if (!plx_tracing()) return fseeko(stream, offset, whence);
    struct plx_stream *state = plx_stream_of(stream);
    offset = PLX_PINNED(offset, PLX_PIN_OPERATION);
    whence = PLX_PINNED(whence, PLX_PIN_OPERATION);
    plx_stream_settle(state);
    note_moved(state->stream);
    int result = fseeko(state->stream, offset, whence);
    int ended = state->ended;
    plx_stream_relabel(state);
    // Whether it fails depends on the length, too.
    int from_end = whence == SEEK_END || (whence == SEEK_CUR && ended);
    if (from_end && offset != 0) pin_position(state);
    if (result == 0) state->ended = from_end && offset == 0;
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
    note_moved(state->stream);
    rewind(state->stream);
    plx_stream_relabel(state);
    state->ended = 0;
}

off_t plx_model_ftello(FILE *stream) {
    if (!plx_tracing()) return ftello(stream);
    struct plx_stream *state = plx_stream_of(stream);
    off_t at = ftello(state->stream);
    if (is_writing(state->stream) && at >= 0 && plx_in_proof())
        return (off_t)(plx_with_label((uint64_t)at, plx_unknown()) & LONG_MAX);
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
    if (plx_in_proof()) plx_unwritten(position, sizeof *position);
    return result;
}
PLX_ALIAS(fgetpos64, fgetpos);

int plx_model_fsetpos(FILE *stream, const fpos_t *position) {
    if (!plx_tracing()) return fsetpos(stream, position);
    struct plx_stream *state = plx_stream_of(stream);
    plx_stream_settle(state);
    note_moved(state->stream);
    int result = fsetpos(state->stream, position);
    plx_stream_relabel(state);
    state->ended = 0;
    return result;
}
PLX_ALIAS(fsetpos64, fsetpos);

// ---- Opening and closing -------------------------------------------------------------------------

// Whether it fails if the file exists.
static int is_exclusive(const char *mode) {
    return mode[0] != 'r' && strcspn(mode, "x,") < strcspn(mode, ",");
}

static int makes_file(const char *mode, struct plx_named named) {
    return mode[0] == 'w' || (mode[0] == 'a' && !named.exists);
}

static int is_written(const char *mode) {
    return mode[0] != 'r' || strchr(mode, '+') != NULL;
}

// What an input holds is kept, and written beside.
static void note_kept(const char *path, const char *mode, struct plx_named named) {
    if (is_written(mode) && mode[0] != 'w') plx_file_kept(named, path);
    if (mode[0] != 'r') plx_file_made(named, path);
}

static struct plx_named look_at_path(const char *path, const char *mode) {
    struct plx_named named = plx_file_named(AT_FDCWD, path);
    if (mode[0] == 'r' || is_exclusive(mode)) plx_file_choice(named);
    return named;
}

FILE *plx_model_fopen(const char *path, const char *mode) {
    if (!plx_tracing()) return fopen(path, mode);
    path = plx_pin_string(path);
    mode = plx_pin_string(mode);
    struct plx_named named = look_at_path(path, mode);
    note_kept(path, mode, named);
    FILE *stream = fopen(path, mode);
    if (stream) plx_file_opened(named, fileno(stream), makes_file(mode, named));
    if (stream && is_written(mode)) plx_file_shown(named, fileno(stream), path);
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
    note_kept(path, mode, named);
    FILE *opened = freopen(path, mode, stream);
    if (opened) plx_file_opened(named, fileno(opened), makes_file(mode, named));
    if (opened && is_written(mode)) plx_file_shown(named, fileno(opened), path);
    return opened;
}
PLX_ALIAS(freopen64, freopen);

// The descriptor below a stream: what is in its buffer is lost.
int plx_model_close(int descriptor) {
    if (!plx_tracing()) return close(descriptor);
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    if (descriptor >= 0) plx_streams_lost(descriptor);
    return close(descriptor);
}

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
    if (plx_tracing()) plx_streams_lost(fileno(stream));
    __fpurge(stream);
    if (plx_tracing()) plx_stream_relabel(plx_stream_of(stream));
}
