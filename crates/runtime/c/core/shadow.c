// Labels of memory.
#include <string.h>

#include "core.h"

#define GRANULE_SIZE 256
// An access of this size that starts in one granule may reach into the next.
#define REACH 15

static inline uint8_t *granule_of(const void *address) {
    return (uint8_t *)((uintptr_t)address >> 8);
}

static inline const char *granule_start(const void *address) {
    return (const char *)((uintptr_t)address & ~(uintptr_t)(GRANULE_SIZE - 1));
}

// Says that there may be labels in a range.
void plx_touch(const void *address, size_t size) {
    const uint8_t *last = granule_of((const char *)address + size - 1);
    for (uint8_t *granule = granule_of((const char *)address - REACH); granule <= last; granule++)
        *granule = 1;
}

static int granules_are_clean(const void *start, size_t length) {
    const uint8_t *granule = granule_of(start);
    size_t count = (size_t)(granule_of((const char *)start + length - 1) - granule) + 1;
    for (; count >= 8; granule += 8, count -= 8) {
        uint64_t eight;
        memcpy(&eight, granule, 8);
        if (eight) return 0;
    }
    for (; count; granule++, count--)
        if (*granule) return 0;
    return 1;
}

typedef uint64_t two_words __attribute__((vector_size(16), aligned(4)));

static int labels_are_zero(const plx_label *labels, size_t count) {
    two_words any = {0};
    for (; count >= 16; labels += 16, count -= 16) {
        const two_words *four = (const two_words *)labels;
        any |= four[0] | four[1] | four[2] | four[3];
    }
    for (; count >= 4; labels += 4, count -= 4) any |= *(const two_words *)labels;
    plx_label rest = 0;
    for (size_t i = 0; i < count; i++) rest |= labels[i];
    return (any[0] | any[1] | rest) == 0;
}

int plx_is_clean(const void *start, size_t length) {
    if (!plx_active || length == 0 || !has_shadow(start)) return 1;
    const char *at = start, *end = at + length;
    while (at < end) {
        const char *next = granule_start(at) + GRANULE_SIZE;
        if (next > end) next = end;
        if (*granule_of(at) && !labels_are_zero(shadow_of(at), (size_t)(next - at))) return 0;
        at = next;
    }
    return 1;
}

// A granule that has no label left in its reach is clean again.
static void tidy(const void *address) {
    if (labels_are_zero(shadow_of(granule_start(address)), GRANULE_SIZE + REACH))
        *granule_of(address) = 0;
}

// Removes the labels of memory without recording a write.
void plx_forget(const void *start, size_t length) {
    if (length == 0 || !has_shadow(start) || granules_are_clean(start, length)) return;
    const char *at = start, *end = at + length;
    while (at < end) {
        const char *next = granule_start(at) + GRANULE_SIZE;
        if (next > end) next = end;
        if (*granule_of(at)) {
            memset(shadow_of(at), 0, (size_t)(next - at) * sizeof(plx_label));
            tidy(at);
        }
        at = next;
    }
}

// Records a write of bytes without labels.
void plx_clear(const void *start, size_t length) {
    wrote(start, length);
    plx_forget(start, length);
}

PLX_COLD void plx_clear_cold(const void *address, size_t size) { plx_forget(address, size); }

void plx_copy_labels(void *to, const void *from, size_t length) {
    if (length == 0 || to == from || !has_shadow(to)) return;
    wrote(to, length);
    if (!plx_active || !has_shadow(from) || granules_are_clean(from, length)) {
        plx_clear(to, length);
        return;
    }
    memmove(shadow_of(to), shadow_of(from), length * sizeof(plx_label));
    plx_touch(to, length);
}

PLX_COLD void plx_copy_cold(void *to, const void *from, size_t size) {
    plx_copy_labels(to, from, size);
}

plx_label plx_label_at(const void *at) {
    return plx_active && has_shadow(at) && *granule_of(at) ? live(*shadow_of(at)) : 0;
}

PLX_COLD void plx_fill_cold(void *to, plx_label label, uint64_t value, size_t size) {
    (void)value;
    label = live(label);
    if (!label || !plx_active || !has_shadow(to)) {
        plx_clear(to, size);
        return;
    }
    plx_label *labels = shadow_of(to);
    for (size_t i = 0; i < size; i++) labels[i] = label;
    if (size) plx_touch(to, size);
}

void plx_write_labels(void *address, plx_label label, uint32_t size) {
    plx_label *labels = shadow_of(address);
    if (!label) {
        for (uint32_t i = 0; i < size; i++) labels[i] = 0;
        return;
    }
    uint32_t bytes = (bits_of(label) + 7) / 8;
    for (uint32_t i = 0; i < size; i++)
        labels[i] = i < bytes ? label + (i << PLX_LABEL_BYTE_SHIFT) : 0;
    plx_touch(address, size);
}

// The value of `size` bytes at `address` without labels: zero-extended.
static uint64_t bytes_at(const void *address, uint32_t size) {
    uint64_t value = 0;
    memcpy(&value, address, size < 8 ? size : 8);
    return value;
}

// How many bytes from `i` on belong together: bytes of one node in order, or concrete ones.
static uint32_t run_length(const plx_label *labels, uint32_t i, uint32_t size) {
    // Behind the last byte of a node there is none: adding to its label would lead to the first.
    uint32_t most = labels[i] ? 16 - (labels[i] >> PLX_LABEL_BYTE_SHIFT) : 8;
    if (most > size - i) most = size - i;
    uint32_t length = 1;
    while (length < most &&
           labels[i + length] == (labels[i] ? labels[i] + (length << PLX_LABEL_BYTE_SHIFT) : 0))
        length++;
    return length;
}

// `high` above `low`, which has `low_bits` bits.
static plx_label concat(plx_label high, uint64_t high_value, uint32_t high_bits, plx_label low,
                        uint64_t low_value, uint32_t low_bits) {
    uint8_t width = (uint8_t)(high_bits + low_bits);
    if (high && low) return plx_make_node(PLX_OP_CONCAT, width, 0, (uint8_t)low_bits, high, low, 0);
    if (high)
        return node_with_constant(PLX_OP_CONCAT, width, PLX_RIGHT_CONSTANT, (uint8_t)low_bits, high,
                                  low_value);
    if (high_value == 0 && bits_of(low) <= low_bits) return low;
    return node_with_constant(PLX_OP_CONCAT, width, PLX_LEFT_CONSTANT, (uint8_t)low_bits, low,
                              high_value);
}

static plx_label concat_runs(const char *address, const plx_label *labels, uint32_t size) {
    plx_label low = 0;
    uint64_t low_value = 0;
    uint32_t done = 0;
    while (done < size) {
        uint32_t length = run_length(labels, done, size);
        plx_label label = labels[done];
        uint64_t value = label ? 0 : bytes_at(address + done, length);
        if (done == 0) {
            low = label;
            low_value = value;
        } else if (label || low) {
            low = concat(label, value, 8 * length, low, low_value, 8 * done);
            if (!low) return 0;
        } else {
            // Two concrete runs of an operand beyond 64 bits.
            low = plx_constant((uint8_t)(8 * done), low_value);
            low = concat(0, value, 8 * length, low, 0, 8 * done);
        }
        done += length;
    }
    return low;
}

plx_label plx_read_labels(const void *address, uint32_t size) {
    const plx_label *shadow = shadow_of(address);
    plx_label labels[16], any = 0;
    for (uint32_t i = 0; i < size; i++) any |= labels[i] = shadow[i];
    if (!any) return 0;
    if (size == 1) return labels[0];
    uint32_t length = run_length(labels, 0, size);
    if (length == size) return labels[0];
    uint64_t high = 0;
    if (size <= 8 && labels[0] && bits_of(labels[0]) <= 8 * length) {
        for (uint32_t i = length; i < size; i++) high |= labels[i] | ((const uint8_t *)address)[i];
        if (!high) return labels[0];
    }
    return concat_runs(address, labels, size);
}

PLX_COLD void plx_lost_memory_cold(const uint8_t *site, const void *address, size_t size,
                                   uint16_t counter) {
    if (!plx_is_clean(address, size)) plx_count_at(counter, slot_at(site), 0);
}

// A range that is not all memory with labels (a pointer that is never used, say) is not clean.
PLX_COLD _Bool plx_range_is_clean_cold(const void *first, const void *last, size_t size) {
    const char *low = first < last ? first : last, *high = first < last ? last : first;
    size_t length = (size_t)(high - low) + size;
    if (!has_shadow(low) || !has_shadow(high + size) || length > (1u << 26)) return 0;
    return granules_are_clean(low, length);
}
