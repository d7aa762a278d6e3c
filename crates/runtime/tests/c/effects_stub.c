// See effects_stub.h.
#define _GNU_SOURCE
#include "effects_stub.h"

#include <string.h>

int stub_nothing_is_clean;
unsigned stub_counters[PLX_COUNTER_ROOM];
unsigned stub_pins, stub_births, stub_deaths, stub_exists, stub_values;
struct stub_input stub_inputs[64];
unsigned stub_inputs_count;
struct stub_output stub_outputs[64];
int stub_ended = -1;
uint64_t stub_seed = 1;

// ---- Labels of memory: a table by address ----------------------------------------------------------

#define SLOTS (1u << 22)
static struct {
    uintptr_t address;
    plx_label label;
} slots[SLOTS];

static plx_label *slot_of(const void *address, int make) {
    uintptr_t key = (uintptr_t)address;
    for (size_t i = (key * 0x9e3779b97f4a7c15ull) >> 42;; i = (i + 1) % SLOTS) {
        if (slots[i].address == key) return &slots[i].label;
        if (slots[i].address) continue;
        if (!make) return NULL;
        slots[i].address = key;
        return &slots[i].label;
    }
}

static void set_label(const void *address, plx_label label) {
    plx_label *slot = slot_of(address, label != 0);
    if (slot) *slot = label;
}

plx_label plx_label_at(const void *at) {
    plx_label *slot = slot_of(at, 0);
    return slot ? *slot : 0;
}

void plx_clear(const void *start, size_t length) {
    for (size_t i = 0; i < length; i++) set_label((const char *)start + i, 0);
}

void plx_copy_labels(void *to, const void *from, size_t length) {
    for (size_t i = 0; i < length; i++)
        set_label((char *)to + i, plx_label_at((const char *)from + i));
}

int plx_is_clean(const void *start, size_t length) {
    if (stub_nothing_is_clean) return 0;
    for (size_t i = 0; i < length; i++)
        if (plx_label_at((const char *)start + i)) return 0;
    return 1;
}

void plx_label_input(void *start, size_t length, uint32_t input, uint64_t offset) {
    for (size_t i = 0; i < length; i++) set_label((char *)start + i, STUB_LABEL(input, offset + i));
}

// ---- Values ----------------------------------------------------------------------------------------

plx_label plx_label_of(uint64_t value) { return value == STUB_SYMBOLIC ? 1 : 0; }

uint64_t plx_with_label(uint64_t value, plx_label label) {
    (void)label;
    return value;
}

uint64_t plx_pin(plx_label label, uint64_t value, uint16_t reason) {
    (void)reason;
    if (label) stub_pins++;
    return value;
}

int plx_tracing(void) { return 1; }

void plx_count(uint16_t counter, const char *name) {
    (void)name;
    stub_counters[counter]++;
}

void plx_stop_tracing(uint16_t counter) { stub_counters[counter]++; }

// ---- Inputs ----------------------------------------------------------------------------------------

uint32_t plx_input(uint32_t kind, uint32_t index, const char *name) {
    if (name && strncmp(name, "fixed", 5) == 0) return plx_no_input;
    if (!name) name = "";
    for (unsigned i = 0; i < stub_inputs_count; i++) {
        struct stub_input *input = &stub_inputs[i];
        if (input->kind == kind && input->index == index && strcmp(input->name, name) == 0) return i;
    }
    CHECK(stub_inputs_count < 64);
    struct stub_input *input = &stub_inputs[stub_inputs_count];
    input->kind = kind;
    input->index = index;
    strcpy(input->name, name);
    return stub_inputs_count++;
}

plx_label plx_input_byte(uint32_t input, uint64_t offset) { return STUB_LABEL(input, offset); }
plx_label plx_input_length(uint32_t input) { return STUB_LABEL(input, 0xffffff); }
plx_label plx_input_count(void) { return 2; }
size_t plx_argument_room(void) { return 16; }
uint32_t plx_arguments_room(void) { return 4; }
void plx_stack_starts(const void *end) { (void)end; }
void plx_served_arguments(int *argc, char ***argv) { (void)argc, (void)argv; }

plx_label plx_input_exists(uint32_t input) {
    stub_exists++;
    return STUB_LABEL(input, 0xfffffe);
}

plx_label plx_pointer_if(plx_label count, uint32_t index, const void *pointer) {
    (void)index;
    CHECK(count && pointer);
    return 3;
}

// ---- Output ----------------------------------------------------------------------------------------

void plx_output_bytes(int descriptor, const void *start, size_t length) {
    CHECK(descriptor >= 0 && descriptor < 64);
    struct stub_output *output = &stub_outputs[descriptor];
    output->bytes = realloc(output->bytes, output->length + length + 1);
    CHECK(output->bytes);
    memcpy(output->bytes + output->length, start, length);
    output->length += length;
}

void plx_output_value(int descriptor, const char *conversion, size_t length, uint64_t value,
                      plx_label label) {
    char format[64], text[1024];
    CHECK(label && length < sizeof format);
    memcpy(format, conversion, length);
    format[length] = '\0';
    stub_values++;
    plx_output_bytes(descriptor, text, (size_t)snprintf(text, sizeof text, format, value));
}

plx_label plx_number(const char *start, size_t length, int base, int is_signed, uint64_t value,
                     plx_label label) {
    (void)start, (void)length, (void)base, (void)is_signed, (void)value;
    return label;
}

void plx_compare(const void *one, size_t one_length, const void *other, size_t other_length,
                 int equal, int ignore_case) {
    (void)one, (void)one_length, (void)other, (void)other_length, (void)equal, (void)ignore_case;
}

void plx_end(int how, plx_label label, int status) {
    (void)label, (void)status;
    stub_ended = how;
}

// ---- The heap --------------------------------------------------------------------------------------

static struct {
    const void *start;
    size_t length;
} objects[4096];

static size_t object_at(const void *start) {
    size_t i = 0;
    while (i < 4096 && objects[i].start != start) i++;
    return i;
}

void plx_object_born(const void *start, size_t length) {
    size_t i = object_at(start);
    if (i == 4096) i = object_at(NULL);
    CHECK(i < 4096);
    objects[i].start = start;
    objects[i].length = length;
    plx_clear(start, length);
    stub_births++;
}

void plx_object_dead(const void *start) {
    size_t i = object_at(start);
    if (i == 4096) return;
    plx_clear(start, objects[i].length);
    objects[i].start = NULL;
    stub_deaths++;
}

void *plx_object_around(const void *at, size_t *length) {
    for (size_t i = 0; i < 4096; i++) {
        const char *start = objects[i].start;
        if (!start || (const char *)at < start || (const char *)at >= start + objects[i].length)
            continue;
        *length = objects[i].length;
        return (void *)start;
    }
    return NULL;
}

// Labels are in a table here: there is nothing to map.
void plx_memory_mapped(const void *start, size_t length) {
    (void)start;
    (void)length;
}

void plx_object_moved(const void *from, size_t old, const void *to, size_t length) {
    size_t common = old < length ? old : length, i = object_at(from);
    plx_label *kept = calloc(common + 1, sizeof *kept);
    CHECK(kept);
    for (size_t j = 0; j < common; j++) kept[j] = plx_label_at((const char *)from + j);
    plx_clear(from, old);
    plx_clear(to, length);
    for (size_t j = 0; j < common; j++) set_label((const char *)to + j, kept[j]);
    free(kept);
    if (i == 4096) i = object_at(NULL);
    objects[i].start = to;
    objects[i].length = length;
}

// These are no proof builds.
int plx_in_proof(void) { return 0; }

void plx_unwritten(const void *start, size_t length) {
    (void)start;
    (void)length;
}

plx_label plx_unknown(void) { return 0; }
