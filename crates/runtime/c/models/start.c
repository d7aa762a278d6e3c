// How a traced program starts: with arguments that may grow, and as many as may become.
//
// Decision: every argument lies in a buffer of its own with room behind it. All bytes of the room
// are labelled, the NUL and what follows it too, so that an argument ends where its first zero byte
// is and the search makes it longer by giving that another value. There are buffers for arguments
// that the run does not have; whether slot i of argv holds one depends on the number of arguments.
// The buffers come from one mapping, so that the heap looks as it does without them.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file.h"
#include "stream.h"

extern int plx_main(int argc, char **argv, char **envp);
extern void plx_stack_starts(const void *end);
extern void plx_served_arguments(int *argc, char ***argv);
extern void plx_model_exit(int status) __attribute__((noreturn));

// Bytes for the argument, without the NUL: an argument that is longer than the usual room has as
// many spare ones as any.
static size_t room_of(const char *argument) {
    size_t length = strlen(argument), room = plx_argument_room();
    return length > room ? length + room : room;
}

// A proof has to know each argument as an object, and those on the heap begin at multiples of 16.
static size_t stride_of(const char *argument) {
    size_t length = room_of(argument) + 1;
    return plx_in_proof() ? (length + 31) & ~(size_t)15 : length;
}

static const char *argument_at(int argc, char **argv, uint32_t index) {
    return index < (uint32_t)argc ? argv[index] : "";
}

// The new argv with its buffers in one mapping, or null.
static char **map_arguments(int argc, char **argv, uint32_t last) {
    size_t bytes = (last + 4) * sizeof(char *);
    for (uint32_t i = 1; i <= last; i++) bytes += stride_of(argument_at(argc, argv, i));
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

static void fill_argument(char *buffer, const char *argument, uint32_t index) {
    if (plx_in_proof()) plx_object_born(buffer, room_of(argument) + 1);
    memcpy(buffer, argument, strlen(argument) + 1);
    uint32_t input = plx_input(PLX_INPUT_ARGUMENT, index, NULL);
    if (input != plx_no_input) plx_label_input(buffer, room_of(argument), input, 0);
}

static char *slot(int argc, uint32_t index, char *buffer, plx_label count) {
    char *present = index < (uint32_t)argc ? buffer : NULL;
    if (!count) return present;
    return (char *)plx_with_label((uint64_t)present, plx_pointer_if(count, index, buffer));
}

static char **symbolic_arguments(int argc, char **argv, plx_label count) {
    uint32_t last = plx_arguments_room();
    if (last < (uint32_t)argc - 1) last = (uint32_t)argc - 1;
    char **made = map_arguments(argc, argv, last);
    if (!made) return argv;
    char *buffer = (char *)(made + last + 2);
    if (plx_in_proof()) buffer = (char *)(((uintptr_t)buffer + 15) & ~(uintptr_t)15);
    made[0] = argv[0];
    for (uint32_t i = 1; i <= last; i++) {
        const char *argument = argument_at(argc, argv, i);
        if (count || i < (uint32_t)argc) fill_argument(buffer, argument, i);
        made[i] = slot(argc, i, buffer, count);
        buffer += stride_of(argument);
    }
    made[last + 1] = NULL;
    return made;
}

int plx_start(int argc, char **argv, char **envp) {
    // The system puts the arguments above all frames.
    plx_stack_starts(argv);
    plx_served_arguments(&argc, &argv);
    if (!plx_tracing() || argc < 1) return plx_main(argc, argv, envp);
    plx_files_start();
    plx_streams_start();
    int free_count = plx_input(PLX_INPUT_COUNT, 0, NULL) != plx_no_input;
    plx_label count = free_count ? plx_input_count() : 0;
    argv = symbolic_arguments(argc, argv, count);
    argc = (int)plx_with_label((uint64_t)(uint32_t)argc, count);
    plx_model_exit(plx_main(argc, argv, envp));
}
