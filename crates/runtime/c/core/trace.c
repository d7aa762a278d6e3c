// Events and blobs. A record counts once the counter has moved, and the counter moves last.
#include <string.h>
#include <sys/mman.h>

#include "core.h"

// A signal may arrive in the middle of a record, and its handler may be traced.
static volatile int busy;

// As with nodes: pages are asked for ahead.
static uint64_t events_ready;

static __attribute__((noinline, cold)) void prepare_events(uint64_t number) {
    uint64_t room = HEADER->layout.events_room;
    uint64_t count = number / 2 < 4096 ? 4096 : number / 2 > 262144 ? 262144 : number / 2;
    if (number + count > room) count = room - number;
    char *first = (char *)HEADER + HEADER->layout.events + number * sizeof(struct plx_event);
    uintptr_t start = (uintptr_t)first & ~(uintptr_t)4095;
    madvise((void *)start, (uintptr_t)first + count * sizeof(struct plx_event) - start,
            MADV_POPULATE_READ);
    events_ready = number + count;
}

static inline __attribute__((always_inline)) struct plx_event *reserve(uint64_t count) {
    struct plx_header *header = HEADER;
    if (!plx_active) return 0;
    if (UNLIKELY(busy) || UNLIKELY(header->events + count > header->layout.events_room)) {
        header->counters[PLX_COUNTER_EVENT_LIMIT]++;
        return 0;
    }
    if (UNLIKELY(header->events + count > events_ready)) prepare_events(header->events);
    busy = 1;
    return (struct plx_event *)((char *)header + header->layout.events) + header->events;
}

static void commit(uint64_t count) {
    __atomic_store_n(&HEADER->events, HEADER->events + count, __ATOMIC_RELEASE);
    busy = 0;
}

// A signal handler was left by longjmp: what it interrupted will not be finished.
void plx_trace_idle(void) { busy = 0; }

void plx_emit(uint8_t kind, uint8_t flag, uint16_t extra, uint32_t site, uint32_t label,
              uint32_t other) {
    struct plx_event *event = reserve(1);
    if (!event) return;
    *event = (struct plx_event){kind, flag, extra, site, label, other};
    commit(1);
}

void plx_emit_valued(uint8_t kind, uint8_t flag, uint16_t extra, uint32_t site, uint32_t label,
                     uint32_t other, uint64_t value) {
    struct plx_event *event = reserve(2);
    if (!event) return;
    event[0] = (struct plx_event){kind, flag, extra, site, label, other};
    event[1] = (struct plx_event){PLX_EVENT_VALUE, 0, 0, site, (uint32_t)value,
                                  (uint32_t)(value >> 32)};
    commit(2);
}

struct plx_blob *plx_blob_at(uint32_t id) {
    return (struct plx_blob *)((char *)HEADER + HEADER->layout.blobs + (uint64_t)id * 16);
}

uint32_t plx_make_blob(const void *start, size_t length, int labelled) {
    struct plx_header *header = HEADER;
    if (!plx_active) return 0;
    size_t padded = (length + 15) & ~(size_t)15;
    size_t size = sizeof(struct plx_blob) + padded + (labelled ? 4 * padded : 0);
    if (length > UINT32_MAX || header->blobs + size > header->layout.blobs_room) {
        header->counters[PLX_COUNTER_BLOB_LIMIT]++;
        return 0;
    }
    uint32_t id = (uint32_t)(header->blobs / 16);
    struct plx_blob *blob = plx_blob_at(id);
    *blob = (struct plx_blob){(uint64_t)start, (uint32_t)length, (uint32_t)labelled};
    memcpy(blob + 1, start, length);
    if (labelled) memcpy((char *)(blob + 1) + padded, shadow_of(start), 4 * length);
    header->blobs += size;
    return id;
}

// The pairs of counter and site that there was an event for.
#define SEEN_ROOM 65536
static uint64_t seen[SEEN_ROOM];

static int first_time(uint64_t key) {
    for (uint64_t i = 0; i < 16; i++) {
        uint64_t *entry = &seen[(key * 0x9e3779b97f4a7c15 >> 40 ^ i) % SEEN_ROOM];
        if (*entry == key) return 0;
        if (*entry == 0) {
            *entry = key;
            return 1;
        }
    }
    return 0;
}

void plx_count_at(uint16_t counter, uint32_t slot, const char *name) {
    if (!plx_active) return;
    HEADER->counters[counter]++;
    if (!first_time((uint64_t)slot << 8 | (uint64_t)counter << 1 | 1)) return;
    uint32_t blob = name ? plx_make_blob(name, strlen(name), 0) : 0;
    plx_emit(PLX_EVENT_APPROXIMATED, 0, counter, slot, 0, blob);
}

void plx_count(uint16_t counter, const char *name) {
    plx_count_at(counter, slot_of(plx_model_caller), name);
}

PLX_COLD void plx_lost_cold(const uint8_t *site, uint16_t counter) {
    plx_count_at(counter, slot_at(site), 0);
}

PLX_COLD void plx_unmodelled_cold(const uint8_t *site, const char *name) {
    plx_count_at(PLX_COUNTER_UNMODELLED, slot_at(site), name);
}

// The outermost frame that is looked at, and how many there are: who has called is who is near.
static uintptr_t stack_end;
#define CALLERS 4
#define FRAMES 24
#define STACK_ROOM (8u << 20)

void plx_stack_starts(const void *end) { stack_end = (uintptr_t)end; }

// A number for the places that have called this one, whatever their order, and each of them counts once: there
// is no end to the ways in which functions call each other that call themselves. Code without frames in
// between, as of a library that calls back, makes it another one, but each time the same. All of the
// stack is there to be read, and nothing else is looked at.
static inline __attribute__((always_inline)) uint16_t callers(void) {
    const uintptr_t *frame = __builtin_frame_address(0);
    uintptr_t seen[CALLERS];
    uint64_t sum = 0;
    int count = 0;
    for (int i = 0; i < FRAMES && count < CALLERS; i++) {
        uintptr_t at = (uintptr_t)frame;
        if (at >= stack_end - 16 || at < stack_end - STACK_ROOM || at % 8 != 0) break;
        int known = 0;
        for (int j = 0; j < count; j++) known |= seen[j] == frame[1];
        if (!known) {
            seen[count++] = frame[1];
            uint64_t mixed = frame[1] * 0x9e3779b97f4a7c15;
            sum += (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9;
        }
        if (frame[0] <= at) break;
        frame = (const uintptr_t *)frame[0];
    }
    return (uint16_t)(sum >> 48);
}

static PLX_COLD void branch(const uint8_t *site, plx_label condition, int taken,
                            const uint8_t *model_site) {
    if (model_site) site = plx_model_caller;
    plx_emit(PLX_EVENT_BRANCH, (uint8_t)taken, callers(), slot_of(site), condition,
             slot_of(model_site));
}

PLX_COLD void plx_branch_cold(const uint8_t *site, plx_label condition, int taken,
                              const uint8_t *model_site) {
    uint64_t number = HEADER->events;
    if (UNLIKELY(node_of(condition)->flags & PLX_NODE_PINNED)) return;
    if (UNLIKELY(number >= events_ready || busy || model_site || !plx_active))
        LEAVE_TO branch(site, condition, taken, model_site);
    busy = 1;
    uint64_t *words = (uint64_t *)((char *)HEADER + HEADER->layout.events) + 2 * number;
    words[0] = PLX_EVENT_BRANCH | (uint64_t)taken << 8 | (uint64_t)callers() << 16 |
               (uint64_t)slot_of(site) << 32;
    words[1] = condition;
    __atomic_store_n(&HEADER->events, number + 1, __ATOMIC_RELEASE);
    busy = 0;
}

PLX_COLD void plx_switch_cold(const uint8_t *site, plx_label label, uint64_t value, uint32_t width,
                              const uint8_t *model_site) {
    label = live(label);
    if (!label) return;
    plx_emit_valued(PLX_EVENT_SWITCH, (uint8_t)width, callers(), slot_at(site), label, slot_of(model_site),
                    value);
}

// A division by zero ends the run: there is no condition under which it goes on.
PLX_COLD void plx_divisor_cold(const uint8_t *site, plx_label label, uint32_t width,
                               int is_zero) {
    label = live(label);
    if (label && !is_zero) plx_emit(PLX_EVENT_DIVISOR, (uint8_t)width, 0, slot_at(site), label, 0);
}

void plx_pin_at(uint32_t slot, plx_label label, uint64_t value, uint32_t width, uint16_t reason) {
    label = live(label);
    if (!label || !plx_active) return;
    // A proof goes through all values that there are, so that nothing is approximated.
    if (plx_in_proof()) reason = PLX_PIN_ENUMERATED;
    else if (plx_is_choice(label)) reason = PLX_PIN_CHOICE;
    else HEADER->counters[PLX_COUNTER_PINNED]++;
    plx_emit_valued(PLX_EVENT_PIN, (uint8_t)width, reason, slot, label, 0, value);
    struct plx_node *node = node_of(label);
    if (label >> PLX_LABEL_BYTE_SHIFT == 0 && width_of_node(node) <= width)
        node->flags |= PLX_NODE_PINNED;
}

// The width is in the upper half of `reason`.
PLX_COLD void plx_pin_cold(const uint8_t *site, plx_label label, uint64_t value, uint32_t reason) {
    plx_pin_at(slot_at(site), label, value, reason >> 16, (uint16_t)reason);
}

uint64_t plx_pin(plx_label label, uint64_t value, uint16_t reason) {
    plx_pin_at(slot_of(plx_model_caller), label, value, 64, reason);
    return value;
}

void plx_output_bytes(int descriptor, const void *start, size_t length) {
    if (!plx_active || length == 0) return;
    uint32_t blob = plx_make_blob(start, length, !plx_is_clean(start, length));
    if (!blob) return;
    plx_emit(PLX_EVENT_OUTPUT, PLX_OUTPUT_BYTES, (uint16_t)descriptor, slot_of(plx_model_caller), 0,
             blob);
}

void plx_output_value(int descriptor, const char *conversion, size_t length, uint64_t value,
                      plx_label label) {
    if (!plx_active) return;
    uint32_t blob = plx_make_blob(conversion, length, 0);
    if (!blob) return;
    plx_emit_valued(PLX_EVENT_OUTPUT, PLX_OUTPUT_FORMATTED, (uint16_t)descriptor,
                    slot_of(plx_model_caller), live(label), blob, value);
}

void plx_compare(const void *one, size_t one_length, const void *other, size_t other_length,
                 int equal, int ignore_case) {
    if (!plx_active) return;
    uint32_t left = plx_make_blob(one, one_length, !plx_is_clean(one, one_length));
    uint32_t right = plx_make_blob(other, other_length, !plx_is_clean(other, other_length));
    plx_emit(PLX_EVENT_COMPARE, (uint8_t)equal, (uint16_t)ignore_case, slot_of(plx_model_caller),
             left, right);
}

plx_label plx_number(const char *start, size_t length, int base, int is_signed, uint64_t value,
                     plx_label label) {
    label = live(label);
    if (!plx_active || plx_is_clean(start, length + 1)) return label;
    uint32_t blob = plx_make_blob(start, length + 1, 1);
    plx_label number =
        label ? plx_make_node(PLX_OP_NUMBER, 64, 0, 0, label, 0, 0)
              : node_with_constant(PLX_OP_NUMBER, 64, PLX_RIGHT_CONSTANT, 0, 0, value);
    if (!blob || !number) return label;
    plx_emit_valued(PLX_EVENT_NUMBER, (uint8_t)base, (uint16_t)is_signed, slot_of(plx_model_caller),
                    number, blob, value);
    return number;
}

void plx_end(int how, plx_label label, int status) {
    plx_emit_valued(PLX_EVENT_END, (uint8_t)how, 0, slot_of(plx_model_caller), live(label), 0,
                    (uint32_t)status);
}

// Symbolic bytes that a function without a model was given: a string up to its end, or a few bytes.
PLX_COLD void plx_foreign_reads_cold(const uint8_t *site, const char *name, const void *address) {
    if (!has_shadow(address)) return;
    size_t length = strnlen(address, 255) + 1;
    if (!plx_is_clean(address, length)) plx_count_at(PLX_COUNTER_UNMODELLED, slot_at(site), name);
}
