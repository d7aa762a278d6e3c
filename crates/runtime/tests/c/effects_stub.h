// A runtime without labels in expressions, for tests of the models with effects.
//
// Natively compiled models cannot carry labels through values, but what they say about memory can
// be kept: the stub has a label for each byte of memory, and collects what was output.
#pragma once
#include <stdio.h>
#include <stdlib.h>

#include "model.h"

// A number that the stub takes for symbolic.
#define STUB_SYMBOLIC 0x5ca1ab1eull
// The label of byte `offset` of input `input`.
#define STUB_LABEL(input, offset) ((plx_label)(((input) + 1) << 24 | (uint32_t)(offset)))

// All memory counts as labelled.
extern int stub_nothing_is_clean;
// How often a counter, a pin, a birth, ... was said.
extern unsigned stub_counters[PLX_COUNTER_ROOM];
extern unsigned stub_pins, stub_births, stub_deaths, stub_exists, stub_values;
// What the models have asked for.
struct stub_input {
    uint32_t kind, index;
    char name[256];
};
extern struct stub_input stub_inputs[64];
extern unsigned stub_inputs_count;
// What was output on a descriptor.
struct stub_output {
    char *bytes;
    size_t length;
};
extern struct stub_output stub_outputs[64];
extern int stub_ended; // -1, or how

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

// Pseudo-random numbers, the same in each run of a seed.
extern uint64_t stub_seed;
static inline unsigned stub_random(unsigned below) {
    stub_seed = stub_seed * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(stub_seed >> 33) % below;
}
