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

PLX_COLD void plx_record_cold(uint8_t kind, const uint8_t *site) {
    plx_emit(kind, 0, 0, slot_of(site), 0, 0);
}

PLX_COLD void plx_record_branch_cold(const uint8_t *site, int taken) {
    plx_emit(PLX_EVENT_BRANCH, (uint8_t)taken, 0, slot_of(site), 0, 0);
}

PLX_COLD void plx_record_switch_cold(const uint8_t *site, uint64_t value, uint32_t width) {
    plx_emit_valued(PLX_EVENT_SWITCH, (uint8_t)width, 0, slot_of(site), 0, 0, value);
}

PLX_COLD void plx_record_value_cold(const uint8_t *site, plx_label label, uint64_t value,
                                    uint32_t width) {
    instance = plx_active ? (uint32_t)HEADER->events + 1 : 0;
    plx_emit_valued(PLX_EVENT_INSTANCE, (uint8_t)width, 0, slot_of(site), label, 0, value);
}

PLX_COLD void plx_record_call_cold(const uint8_t *site) {
    plx_call_record = plx_active ? (uint32_t)HEADER->events + 1 : 0;
    plx_emit(PLX_EVENT_CALLED, 0, 0, slot_of(site), 0, 0);
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

// The most bytes that are looked at: whoever reads more has read enough to tell.
#define READ_ROOM (1u << 20)

PLX_COLD void plx_record_reads_cold(const uint8_t *site, const void *address, size_t size) {
    if (size > READ_ROOM) size = READ_ROOM;
    if (!plx_active || !size || !has_shadow(address)) return;
    if (!has_shadow((const char *)address + size - 1)) return;
    const uint32_t *writers = writer_of(address);
    struct told told = {0};
    for (size_t i = 0; i < size; i++) tell_writer(site, writers[i], &told);
}

// How far behind the start of an object somebody looks who was not told its size.
#define TEXT_ROOM 4096

// A library function is given an address: it reads a text there, or what is in memory up to the
// first byte that nobody wrote. Only what was written is looked at: it is there.
PLX_COLD void plx_record_text_cold(const uint8_t *site, const void *address) {
    if (!plx_active || !has_shadow(address)) return;
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
