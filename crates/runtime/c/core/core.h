// The state of a traced run, shared by the files of the core. Nothing here is instrumented, and
// nothing here touches the program's heap or streams.
#pragma once
#include <string.h>

#include "../model.h"
#include "../probe.h"

#define HIDDEN __attribute__((visibility("hidden")))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

// Fixed places. Programs are position-independent and run without address randomisation, so they
// are at 0x5555... with their heap, and at 0x7e00... and above with libraries and stack.
#define HEADER ((struct plx_header *)0x100000000000)
#define PROGRAM_FIRST 0x555500000000
#define PROGRAM_LAST 0x565500000000
#define SYSTEM_FIRST 0x7e0000000000
#define SYSTEM_LAST 0x800000000000
#define ADDRESS_MASK 0x0fffffffffff
// How far behind the label of a byte there is who wrote it.
#define WRITERS 0x300000000000

// The label of each byte of memory.
static inline plx_label *shadow_of(const void *address) {
    return (plx_label *)(((uintptr_t)address & ADDRESS_MASK) << 2);
}
// The size of each object on the heap, at the place of its first 16 bytes.
static inline uint32_t *heap_mark_of(const void *address) {
    return (uint32_t *)(0x200000000000 + ((((uintptr_t)address & ADDRESS_MASK) >> 4) << 2));
}
static inline int has_shadow(const void *address) {
    uintptr_t number = (uintptr_t)address;
    return (number >= PROGRAM_FIRST && number < PROGRAM_LAST) ||
           (number >= SYSTEM_FIRST && number < SYSTEM_LAST);
}

// Says on standard error why there can be no trace, and leaves.
extern void plx_fail(const char *why) HIDDEN __attribute__((noreturn));
// Returns in each process that is to run the program.
extern void plx_serve(void) HIDDEN;
// Says where the stack of the program starts.
extern void plx_stack_starts(const void *end);

// Only the first thread of the first process is traced.
extern __thread int plx_active HIDDEN __attribute__((tls_model("initial-exec")));
extern struct plx_node *plx_nodes HIDDEN;
extern const uint8_t __start_plx_sites[] HIDDEN, __stop_plx_sites[] HIDDEN;

// Numbers of places start at 1: 0 is nowhere.
static inline uint32_t slot_of(const uint8_t *site) {
    return site ? (uint32_t)(site - __start_plx_sites) + 1 : 0;
}
// Code of models has no site of its own: what happens there happens where the program called it.
static inline uint32_t slot_at(const uint8_t *site) {
    return slot_of(site ? site : plx_model_caller);
}

// Defined by programs that have recorded functions.
extern const uint8_t plx_recording HIDDEN __attribute__((weak));
// Defined by proof builds.
extern const uint8_t plx_proof HIDDEN __attribute__((weak));
extern void plx_watch_system_calls(void) HIDDEN;
static inline void wrote(const void *address, size_t size) {
    if (&plx_recording) plx_wrote_cold(address, size);
}

// Nodes.
static inline uint32_t width_of_node(const struct plx_node *node) {
    return node->op >= 64 && node->op < 128 ? 1 : node->width;
}
static inline struct plx_node *node_of(plx_label label) {
    return &plx_nodes[label & PLX_LABEL_NODE_MASK];
}
// How many bits of a label are not known to be zero.
static inline uint32_t bits_of(plx_label label) {
    return width_of_node(node_of(label)) - 8 * (label >> PLX_LABEL_BYTE_SHIFT);
}
// What the path condition pins is concrete.
static inline plx_label live(plx_label label) {
    return label && (node_of(label)->flags & PLX_NODE_PINNED) ? 0 : label;
}
// The common case of a probe saves no registers: whatever is rare is left to another function that
// takes the same arguments and returns for it.
#define LEAVE_TO __attribute__((musttail)) return

extern uint32_t plx_nodes_ready HIDDEN;
extern void plx_prepare_nodes(uint32_t number) HIDDEN;

// Writes a node where there is room for one, field by field: that takes the fewest registers.
static inline __attribute__((always_inline)) plx_label plx_write_node(uint32_t number, uint32_t head,
                                                                      uint32_t a, uint64_t rest) {
    char *node = (char *)&plx_nodes[number];
    // Taken first: a traced signal handler must not get the same one. No label refers to it yet.
    *(volatile uint32_t *)&HEADER->nodes = number + 1;
    memcpy(node, &head, 4);
    memcpy(node + 4, &a, 4);
    memcpy(node + 8, &rest, 8);
    return number;
}

static inline __attribute__((always_inline)) plx_label plx_make_node(uint8_t op, uint8_t width,
                                                                     uint8_t flags, uint8_t extra,
                                                                     uint32_t a, uint32_t b,
                                                                     uint32_t c) {
    struct plx_header *header = HEADER;
    if (UNLIKELY(!plx_active)) return 0;
    uint32_t number = header->nodes;
    if (UNLIKELY(number >= plx_nodes_ready)) {
        plx_prepare_nodes(number);
        if (number >= plx_nodes_ready) return 0;
    }
    uint32_t head = op | (uint32_t)width << 8 | (uint32_t)flags << 16 | (uint32_t)extra << 24;
    return plx_write_node(number, head, a, b | (uint64_t)c << 32);
}
extern plx_label plx_constant(uint8_t width, uint64_t value) HIDDEN;
extern plx_label plx_wide_constant(uint8_t width, plx_wide value) HIDDEN;
static inline plx_label node_with_constant(uint8_t op, uint8_t width, uint8_t flags, uint8_t extra,
                                           plx_label a, uint64_t constant) {
    return plx_make_node(op, width, flags, extra, a, (uint32_t)constant, (uint32_t)(constant >> 32));
}

// Shadow.
extern plx_label plx_read_labels(const void *address, uint32_t size) HIDDEN;
extern void plx_write_labels(void *address, plx_label label, uint32_t size) HIDDEN;
extern void plx_forget(const void *start, size_t length) HIDDEN;
extern void plx_touch(const void *address, size_t size) HIDDEN;

// The trace. An event is `kind`, `flag`, `extra`, `site`, `label`, `other`.
extern void plx_emit(uint8_t kind, uint8_t flag, uint16_t extra, uint32_t site, uint32_t label,
                     uint32_t other) HIDDEN;
extern void plx_emit_valued(uint8_t kind, uint8_t flag, uint16_t extra, uint32_t site,
                            uint32_t label, uint32_t other, uint64_t value) HIDDEN;
extern uint32_t plx_make_blob(const void *start, size_t length, int labelled) HIDDEN;
extern struct plx_blob *plx_blob_at(uint32_t id) HIDDEN;
extern void plx_count_at(uint16_t counter, uint32_t slot, const char *name) HIDDEN;
extern int plx_is_choice(plx_label label) HIDDEN;
extern void plx_pin_at(uint32_t slot, plx_label label, uint64_t value, uint32_t width,
                       uint16_t reason) HIDDEN;
