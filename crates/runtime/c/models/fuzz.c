// A main for programs that are only a function to fuzz: it gets all of standard input.
//
// Decision: the buffer has exactly the size of the data, as libFuzzer's has, so that a byte read
// behind its end is noticed; the size keeps the label of the input's length.
#include <stdlib.h>
#include <unistd.h>

#include "file.h"

extern int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern ssize_t plx_model_read(int descriptor, void *to, size_t wanted);

// How much standard input holds; if it is no regular file, the most that is read of it.
static size_t room_of_input(void) {
    struct stat status;
    if (fstat(0, &status) == 0 && S_ISREG(status.st_mode)) return (size_t)status.st_size;
    return 1 << 20;
}

static uint8_t *exact_buffer(size_t length) {
    uint8_t *data = malloc(length ? length : 1);
    if (data && plx_tracing()) plx_object_born(data, length);
    return data;
}

// One byte more than there is is asked for: the read is short then, and its result the length.
int plx_fuzz_main(int argc, char **argv, char **envp) {
    (void)envp;
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
    size_t room = room_of_input() + 1;
    uint8_t *read_into = exact_buffer(room);
    ssize_t size = read_into ? plx_model_read(0, read_into, room) : 0;
    ssize_t length = PLX_WITHOUT_LABEL(size);
    uint8_t *data = length < 0 ? NULL : exact_buffer((size_t)length);
    if (!data) return 1;
    for (ssize_t i = 0; i < length; i++) data[i] = read_into[i];
    LLVMFuzzerTestOneInput(data, (size_t)size);
    return 0;
}
