// What the drivers share: random inputs, memory that ends at a page without access, and a report
// that names the input.
#pragma once
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the stub runtime answers when it is asked for labels.
enum mode { ALL_CONCRETE, ALL_SYMBOLIC, AT_RANDOM, MODES };
extern enum mode mode;

// What a driver checks, once in each mode.
extern void check(void);

// A random number less than `limit`, the same in each run of the tests.
extern uint64_t below(uint64_t limit);

// A copy of `count` bytes that ends where access to memory does; valid until the same slot (0 to
// 7) is used again.
extern char *guarded(int slot, const void *from, size_t count);
extern char *guarded_text(int slot, const char *text);

// A random text of up to `limit` bytes out of `alphabet`, guarded.
extern char *random_text(int slot, const char *alphabet, size_t limit);
extern const char *pick(const char *const *from, size_t count);
#define PICK(list) pick(list, sizeof(list) / sizeof *(list))

// Text with what cannot be printed escaped; valid for a few calls.
extern const char *shown(const void *bytes, size_t count);
#define SHOWN(text) shown(text, strlen(text))

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stdout, "%s:%d: mode %d: %s\n    ", __FILE__, __LINE__, mode, #condition);     \
            fprintf(stdout, __VA_ARGS__);                                                          \
            fprintf(stdout, "\n");                                                                 \
            fflush(stdout);                                                                        \
            _Exit(1);                                                                              \
        }                                                                                          \
    } while (0)
