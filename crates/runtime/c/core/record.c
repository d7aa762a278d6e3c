// What aligning two runs needs, of the functions that are recorded: the branches that no symbolic
// value decides, the values that are computed, and who wrote what is loaded.
#include "core.h"

__thread uint32_t plx_call_record;
// One more than the record of the instance that was told last.
static __thread uint32_t instance;

// For each byte, one more than the record of what wrote it last.
static uint32_t *writer_of(const void *address) {
    return (uint32_t *)((uintptr_t)shadow_of(address) + WRITERS);
}

// How many records there could have been so far, of which the first ones may be left out.
static uint64_t records;

// Calls of recorded functions that have not come back while records are left out: where their frames are,
// who called them, and where they begin. Of calls that are nested more deeply nothing is known.
#define OUTER_ROOM 4096
static struct { uintptr_t frame; uint32_t call, enter; } outer[OUTER_ROOM];
static uint32_t outer_count;
// The call of the innermost frame that is under way.
static uint32_t pending;

static void note_call(uint32_t slot) {
    plx_call_record = (uint32_t)HEADER->events + 1;
    plx_emit(PLX_EVENT_CALLED, 0, 0, slot, 0, 0);
}

// The first record that is kept lies within calls: they are told first.
static PLX_COLD void begin(void) {
    for (uint32_t i = 0; i < outer_count; i++) {
        if (outer[i].call) note_call(outer[i].call);
        plx_emit(PLX_EVENT_ENTER, 0, 0, outer[i].enter, 0, 0);
    }
    if (pending) note_call(pending);
}

static PLX_COLD void leave_out(uint8_t kind, uint32_t slot, uintptr_t frame) {
    struct plx_header *header = HEADER;
    if (header->record_from == PLX_SURVEY) {
        uint64_t *firsts = (uint64_t *)((char *)header + header->layout.events);
        if (slot < header->layout.shares_room && slot < header->layout.events_room && !firsts[slot])
            firsts[slot] = records;
    }
    switch (kind) {
    case PLX_EVENT_ENTER:
        // What longjmp left is below.
        while (outer_count && outer[outer_count - 1].frame <= frame) outer_count--;
        if (outer_count < OUTER_ROOM) {
            outer[outer_count].frame = frame;
            outer[outer_count].call = pending;
            outer[outer_count++].enter = slot;
        }
        pending = 0;
        break;
    case PLX_EVENT_LEAVE:
        while (outer_count && outer[outer_count - 1].frame < frame) outer_count--;
        if (outer_count) outer_count--;
        pending = 0;
        break;
    case PLX_EVENT_CALLED: pending = slot; break;
    default: pending = 0;
    }
}

// Whether what happens at a place says nothing about the changes.
static inline int is_left_out(uint32_t slot) {
    struct plx_header *header = HEADER;
    return slot < header->layout.shares_room &&
           ((const uint8_t *)header + header->layout.shares)[slot] == PLX_SHARE_NOTHING;
}

// Whether a record is kept.
static inline __attribute__((always_inline)) int keeps(uint8_t kind, uint32_t slot) {
    uint64_t from = HEADER->record_from, number = records;
    if (!plx_active) return 0;
    records = number + 1;
    if (UNLIKELY(number < from)) {
        leave_out(kind, slot, (uintptr_t)__builtin_frame_address(0));
        return 0;
    }
    if (UNLIKELY(from && number == from)) begin();
    return !is_left_out(slot);
}

PLX_COLD void plx_record_cold(uint8_t kind, const uint8_t *site) {
    uint32_t slot = slot_of(site);
    if (keeps(kind, slot)) plx_emit(kind, 0, 0, slot, 0, 0);
}

PLX_COLD void plx_record_branch_cold(const uint8_t *site, int taken) {
    uint32_t slot = slot_of(site);
    if (keeps(PLX_EVENT_BRANCH, slot)) plx_emit(PLX_EVENT_BRANCH, (uint8_t)taken, 0, slot, 0, 0);
}

PLX_COLD void plx_record_switch_cold(const uint8_t *site, uint64_t value, uint32_t width) {
    uint32_t slot = slot_of(site);
    if (keeps(PLX_EVENT_SWITCH, slot))
        plx_emit_valued(PLX_EVENT_SWITCH, (uint8_t)width, 0, slot, 0, 0, value);
}

PLX_COLD void plx_record_value_cold(const uint8_t *site, plx_label label, uint64_t value,
                                    uint32_t width) {
    uint32_t slot = slot_of(site);
    instance = 0;
    if (!keeps(PLX_EVENT_INSTANCE, slot)) return;
    instance = (uint32_t)HEADER->events + 1;
    plx_emit_valued(PLX_EVENT_INSTANCE, (uint8_t)width, 0, slot, label, 0, value);
}

PLX_COLD void plx_record_call_cold(const uint8_t *site) {
    uint32_t slot = slot_of(site);
    plx_call_record = 0;
    if (keeps(PLX_EVENT_CALLED, slot)) note_call(slot);
}

// Whether anything is to be told of what is read at a place.
static int tells(const uint8_t *site) {
    return plx_active && records > HEADER->record_from && !is_left_out(slot_of(site));
}

// Each writer is told once, or a few times if there are many.
#define REMEMBERED 16
struct told { uint32_t writers[REMEMBERED]; uint32_t count; };

static void tell_writer(const uint8_t *site, uint32_t writer, struct told *told) {
    if (!writer) return;
    for (uint32_t i = 0; i < REMEMBERED; i++)
        if (told->writers[i] == writer) return;
    told->writers[told->count++ % REMEMBERED] = writer;
    plx_emit(PLX_EVENT_WRITER, 0, 0, slot_of(site), 0, writer);
}

// Limit on bytes of a read to inspect: the writers of so many are enough.
#define READ_ROOM (1u << 20)

PLX_COLD void plx_record_reads_cold(const uint8_t *site, const void *address, size_t size) {
    if (size > READ_ROOM) size = READ_ROOM;
    if (!tells(site) || !size || !has_shadow(address)) return;
    if (!has_shadow((const char *)address + size - 1)) return;
    const uint32_t *writers = writer_of(address);
    struct told told = {0};
    for (size_t i = 0; i < size; i++) tell_writer(site, writers[i], &told);
}

// Limit on bytes of a text to inspect, whose size is unknown.
#define TEXT_ROOM 4096

// A library function is given an address: it reads a text there, or memory up to the first byte that
// was never written. Only written memory is inspected: it is mapped.
PLX_COLD void plx_record_text_cold(const uint8_t *site, const void *address) {
    if (!tells(site) || !has_shadow(address)) return;
    const uint32_t *writers = writer_of(address);
    const char *text = address;
    struct told told = {0};
    for (size_t i = 0; i < TEXT_ROOM && writers[i]; i++) {
        tell_writer(site, writers[i], &told);
        if (text[i] == 0) return;
    }
}

static void written(const void *address, size_t size, uint32_t record) {
    if (!plx_active || !size || !has_shadow(address)) return;
    uint32_t *writers = writer_of(address);
    for (size_t i = 0; i < size; i++) writers[i] = record;
}

PLX_COLD void plx_stored_cold(const void *address, size_t size) { written(address, size, instance); }

PLX_COLD void plx_wrote_cold(const void *address, size_t size) {
    written(address, size, plx_call_record);
}
