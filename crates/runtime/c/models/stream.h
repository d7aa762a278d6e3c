// Streams: glibc's own FILE, whose buffer carries labels in both directions.
//
// Decision: the bytes in a stream's buffer are labelled where they lie, because the getc_unlocked and
// putc_unlocked macros of glibc's headers read and store them in the program's own code and only
// call the library for a refill or a flush. So a stream is
//
//   read    from _IO_read_ptr on; after each real call that may have moved the buffer on, the bytes
//           between _IO_read_base and _IO_read_end get the labels of their place in the file;
//   written at _IO_write_ptr; what was stored there since the last modelled call is output (an
//           event) at the next one, with the labels of the buffer, and the buffer is cleared then.
#pragma once
#include <stdio.h>

#include "file.h"

struct plx_stream {
    FILE *stream;
    struct plx_file *file; // what is read from it; null if that is concrete
    uint64_t length;       // of that, labelled
    uint64_t end;          // place in the file of the byte at _IO_read_end
    char *from, *to;       // the part of the buffer that has its labels
    uint8_t ended;         // the position is the length of the file
    uint8_t pushed;        // a byte of the buffer has the label of what was pushed back
    uint8_t writes;        // the file is known to be written to
    uint8_t uncertain;     // how much its buffer holds is up to digits that have no expressions
    char *seen;            // what lies below was output
};

// At the end of the program what is left in buffers is output.
extern void plx_streams_start(void);

// The state of a stream; its pointer is pinned.
extern struct plx_stream *plx_stream_of(FILE *stream);
// Output of all that was stored in the buffer directly; before a real call that may flush it.
extern void plx_stream_settle(struct plx_stream *stream);
extern void plx_streams_settle(void);
// In a proof, before what is in the buffers of a descriptor (or, if it is negative, of all) is lost: it has to be
// known how much of it was written already.
extern void plx_streams_lost(int descriptor);
// Digits were printed of which it is not known how many they are.
extern void plx_stream_uncertain(struct plx_stream *stream);
// After a real call that wrote to the stream.
extern void plx_stream_wrote(struct plx_stream *stream);
// After a real call that moved the position: the buffer gets the labels that it should have.
extern void plx_stream_relabel(struct plx_stream *stream);
// Before the stream is closed.
extern void plx_stream_forget(struct plx_stream *stream);

// Of glibc's FILE: pushed-back bytes are being read.
static inline int plx_in_backup(const FILE *stream) { return (stream->_flags & 0x0100) != 0; }
// Whether there is nothing left in the buffer to read.
static inline int plx_is_empty(const FILE *stream) {
    return stream->_IO_read_ptr >= stream->_IO_read_end;
}
// Makes the buffer hold something with the right labels, unless the end is reached.
extern void plx_stream_look(struct plx_stream *stream);
// Place in the file of the next byte.
extern uint64_t plx_stream_place(const struct plx_stream *stream);
// Whether there is a byte to read; a branch if that depends on the length of an input.
extern int plx_stream_ready(struct plx_stream *stream);
// The next byte with its label, or EOF.
extern int plx_stream_next(struct plx_stream *stream);
// Puts back the byte that was just read.
extern void plx_stream_back(struct plx_stream *stream);
// Whether what can be read next has no labels; then up to `*room` bytes may be taken at once.
extern const char *plx_stream_chunk(struct plx_stream *stream, size_t *room);

// The descriptor, or -1: what is printed to memory is not output.
extern int plx_stream_descriptor(const FILE *stream);
extern void plx_stream_output(struct plx_stream *stream, const void *from, size_t length);
// What plx_stream_write does before the real call, for those that make another one.
extern void plx_stream_starts_writing(struct plx_stream *stream);
// Bytes are printed: events, then the real call. Returns how many were taken.
extern size_t plx_stream_write(struct plx_stream *stream, const void *from, size_t length);
