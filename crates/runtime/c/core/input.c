// Symbolic inputs, named by where they come from.
#include <string.h>
#include <sys/mman.h>

#include "core.h"

// The label of each byte of an input that was made already: a byte read twice is the same variable.
#define INPUTS 4096
#define BYTES (1 << 20)
static plx_label *labels;

void plx_map_inputs(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    size_t size = (size_t)INPUTS * (BYTES + 2) * sizeof *labels;
    labels = mmap(0, size, PROT_READ | PROT_WRITE, flags, -1, 0);
}

static plx_label *place_of(uint32_t input, uint64_t index) {
    return labels != MAP_FAILED && input < INPUTS && index < BYTES + 2
               ? &labels[(uint64_t)input * (BYTES + 2) + index]
               : 0;
}

static struct plx_input *inputs(void) {
    return (struct plx_input *)((char *)HEADER + HEADER->layout.inputs);
}

static int has_name(const struct plx_input *input, const char *name) {
    if (input->name == 0) return 1;
    const struct plx_blob *blob = plx_blob_at(input->name);
    return name && blob->length == strlen(name) && memcmp(blob + 1, name, blob->length) == 0;
}

static int is_about(const struct plx_input *input, uint32_t kind, uint32_t index, const char *name) {
    if (input->kind != kind) return 0;
    if (input->fixed) return (input->index == UINT32_MAX || input->index == index) && has_name(input, name);
    return input->index == index && (!name == !input->name) && has_name(input, name);
}

uint32_t plx_input(uint32_t kind, uint32_t index, const char *name) {
    struct plx_header *header = HEADER;
    if (!plx_active) return plx_no_input;
    for (uint32_t i = 0; i < header->inputs; i++)
        if (is_about(&inputs()[i], kind, index, name)) return inputs()[i].fixed ? plx_no_input : i;
    if (header->inputs >= header->layout.inputs_room) {
        header->counters[PLX_COUNTER_INPUT_LIMIT]++;
        return plx_no_input;
    }
    uint32_t blob = name ? plx_make_blob(name, strlen(name), 0) : 0;
    if (name && !blob) return plx_no_input;
    inputs()[header->inputs] = (struct plx_input){kind, index, blob, 0};
    return header->inputs++;
}

static plx_label remembered(uint32_t input, uint64_t index, uint8_t op, uint8_t width,
                            uint32_t offset) {
    if (!plx_active || input == plx_no_input) return 0;
    plx_label *place = place_of(input, index);
    if (place && *place) return *place;
    plx_label label = plx_make_node(op, width, 0, 0, input, offset, 0);
    if (place) *place = label;
    return label;
}

plx_label plx_input_byte(uint32_t input, uint64_t offset) {
    if (offset > UINT32_MAX) return 0;
    return remembered(input, offset + 2, PLX_OP_INPUT, 8, (uint32_t)offset);
}

plx_label plx_input_length(uint32_t input) { return remembered(input, 0, PLX_OP_LENGTH, 64, 0); }

plx_label plx_input_exists(uint32_t input) { return remembered(input, 1, PLX_OP_EXISTS, 1, 0); }

plx_label plx_input_count(void) {
    uint32_t input = plx_input(PLX_INPUT_COUNT, 0, 0);
    return remembered(input, 0, PLX_OP_COUNT, 32, 0);
}

plx_label plx_pointer_if(plx_label count, uint32_t index, const void *pointer) {
    if (!plx_active || !count) return 0;
    plx_label exists = node_with_constant(PLX_OP_ULT, 32, PLX_LEFT_CONSTANT, 0, count, index);
    plx_label yes = plx_constant(64, (uint64_t)pointer), no = plx_constant(64, 0);
    return plx_make_node(PLX_OP_ITE, 64, 0, 0, exists, yes, no);
}

void plx_label_input(void *start, size_t length, uint32_t input, uint64_t offset) {
    if (length == 0 || !has_shadow(start)) return;
    wrote(start, length);
    if (!plx_active || input == plx_no_input) {
        plx_clear(start, length);
        return;
    }
    plx_label *shadow = shadow_of(start);
    for (size_t i = 0; i < length; i++) shadow[i] = plx_input_byte(input, offset + i);
    plx_touch(start, length);
}
