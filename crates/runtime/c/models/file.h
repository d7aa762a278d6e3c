// Files that are inputs: which they are, and what the program did to them.
//
// Decision: a file is recognised by the device and inode of its descriptor and its position is asked
// of the kernel, so that dup, dup2, fdopen, freopen, fcntl and close need no bookkeeping. Standard
// input and the files at or below the directory that the program started in are inputs; what lies
// elsewhere belongs to the system and is concrete.
#pragma once
#include <errno.h>
#include <sys/stat.h>

#include "model.h"

// The label of an argument that a real function is about to get.
#define PLX_PIN_DESCRIPTOR(fd) PLX_PINNED(fd, PLX_PIN_OPERATION)
#define PLX_PIN_POINTER(pointer) PLX_PINNED(pointer, PLX_PIN_ADDRESS)
#define PLX_PIN_LENGTH(length) PLX_PINNED(length, PLX_PIN_SIZE)

// `value` without its label and without a word about it: where the label goes on by other ways.
#define PLX_WITHOUT_LABEL(value) ((__typeof__(value))plx_with_label((uint64_t)(value), 0))
// The same for an int, without an expression for its sign.
#define PLX_INT_WITHOUT_LABEL(value) ((int)plx_with_label((uint32_t)(value), 0))

// How _FORTIFY_SOURCE ends a program.
extern void __chk_fail(void) __attribute__((noreturn));

struct plx_file {
    dev_t device;
    ino_t inode;        // 0: not known yet
    const char *name;   // from the first directory; null for standard input, and where the
                        // program writes to some other file
    uint32_t input;     // plx_no_input: not asked for yet, or concrete
    uint8_t asked;      // `input` is what plx_input said
    uint8_t rewritten;  // the program made it or wrote to it: its bytes are concrete
    uint8_t moved;      // the program made, removed or renamed it: whether it exists is concrete
    uint8_t removed;    // the program removed it: its inode may become another file's
    uint8_t ended;      // the last read stopped at its end, so the position is its length
};

// A file as a path names it.
struct plx_named {
    struct plx_file *file; // null: not below the first directory, or no regular file
    int exists;
};

// Remembers the directory and standard input; at the start of the program, and later ignored.
extern void plx_files_start(void);

// The file that this path names. A null `file` is concrete. errno is kept.
extern struct plx_named plx_file_named(int directory, const char *path);
// The branch on whether it exists, unless the program itself has decided that.
extern void plx_file_choice(struct plx_named named);
// It was opened at `descriptor`; `made` if the program emptied or created it by that.
extern void plx_file_opened(struct plx_named named, int descriptor, int made);
// In a proof: a file that is written is shown by its name and by whether it was there, where what is written to it
// will be; and one of which something is kept that a test could hold stands against it.
extern void plx_file_shown(struct plx_named named, int descriptor, const char *path);
extern void plx_file_kept(struct plx_named named, const char *path);
// In a proof: this path is used in another way than to open a file. What comes of that depends on what a test holds
// there.
extern void plx_file_handed(int directory, const char *path);
// In a proof: it is about to be made, which needs the directory that it lies in.
extern void plx_file_made(struct plx_named named, const char *path);
// Whether the program has written to the file of this descriptor.
extern int plx_file_is_written(int descriptor);
// In a proof: what is written through `descriptor`, by `stream` or (null) at once, is known by its order.
// A second way to the same file stands against it while the first one is open.
extern void plx_file_channel(int descriptor, const void *stream);
extern void plx_file_channel_closed(const void *stream);
// The program changed what a name stands for.
extern void plx_file_moved(int directory, const char *path);

// The input that `descriptor` reads, with its present size in `*size`; null if it is concrete.
extern struct plx_file *plx_file_read(int descriptor, uint64_t *size);
// The same from what fstat or the like has said.
extern struct plx_file *plx_file_of_status(const struct stat *status);
// The program writes to `descriptor`.
extern void plx_file_written(int descriptor);

// `size`, labelled as the length of the file.
extern uint64_t plx_file_length(const struct plx_file *file, uint64_t size);
// The branch `at < length`.
extern int plx_is_before(uint64_t at, uint64_t length);

// Pins the bytes of a string, the NUL included, and returns it.
extern const char *plx_pin_string(const char *text);
// The same for a memory.
extern void plx_pin_memory(const void *start, size_t length);
