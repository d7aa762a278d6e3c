// What aligning two runs needs, of the functions that are recorded: the branches that no symbolic
// value decides, the values that are computed, and who wrote what is loaded.
#include "core.h"

// For each byte, one more than the place that wrote it last.
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
    plx_emit_valued(PLX_EVENT_INSTANCE, (uint8_t)width, 0, slot_of(site), label, 0, value);
}

PLX_COLD void plx_record_writer_cold(const uint8_t *site, const void *address) {
    uint32_t writer = has_shadow(address) ? *writer_of(address) : 0;
    plx_emit(PLX_EVENT_WRITER, 0, 0, slot_of(site), 0, writer - 1);
}

PLX_COLD void plx_wrote_cold(const void *address, size_t size, const uint8_t *site) {
    if (!plx_active || !size || !has_shadow(address)) return;
    uint32_t place = slot_of(site ? site : plx_model_caller) + 1;
    uint32_t *writers = writer_of(address);
    for (size_t i = 0; i < size; i++) writers[i] = place;
}
