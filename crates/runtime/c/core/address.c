// Symbolic addresses: an access through one is resolved over the contents of the object that it
// hits now. That it stays in this object becomes part of the path condition; which object it is, is
// known for globals, for the heap and for arrays on the stack.
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "core.h"

// Globals: where they are relative to the entry, and their size; the highest bit says constant, and the one
// below it that the linker may give several of them one address.
struct global { int32_t distance; uint32_t size; };
extern const struct global __start_plx_globals[] HIDDEN __attribute__((weak));
extern const struct global __stop_plx_globals[] HIDDEN __attribute__((weak));
#define CONSTANT 0x80000000u
#define MERGED 0x40000000u

struct object { const char *start; size_t size; int constant, merged; };

#define STACK_ROOM (1 << 20)
__thread struct plx_stack_object *plx_stack_top;
struct plx_stack_object *plx_stack_bottom;

static struct object *globals;
static size_t global_count;

static void *table(size_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    return mmap(0, size, PROT_READ | PROT_WRITE, flags, -1, 0);
}

void plx_map_tables(void) {
    extern void plx_map_inputs(void) HIDDEN;
    plx_stack_bottom = plx_stack_top = table(STACK_ROOM * sizeof *plx_stack_bottom);
    plx_map_inputs();
}

static void sift(struct object *heap, size_t root, size_t count) {
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && heap[child].start < heap[child + 1].start) child++;
        if (heap[root].start >= heap[child].start) return;
        struct object swapped = heap[root];
        heap[root] = heap[child];
        heap[child] = swapped;
    }
}

// Sorted when the first symbolic address turns up: most runs have none.
static void collect_globals(void) {
    global_count = (size_t)(__stop_plx_globals - __start_plx_globals);
    globals = table((global_count + 1) * sizeof *globals);
    for (size_t i = 0; i < global_count; i++) {
        const struct global *entry = &__start_plx_globals[i];
        globals[i] = (struct object){(const char *)entry + entry->distance,
                                     entry->size & ~(CONSTANT | MERGED),
                                     (entry->size & CONSTANT) != 0, (entry->size & MERGED) != 0};
    }
    for (size_t i = global_count / 2; i-- > 0;) sift(globals, i, global_count);
    for (size_t end = global_count; end-- > 1;) {
        struct object greatest = globals[0];
        globals[0] = globals[end];
        globals[end] = greatest;
        sift(globals, 0, end);
    }
}

static int contains(struct object object, const char *at) {
    return at >= object.start && at < object.start + object.size;
}

// Tables are looked up again and again; globals stay where they are.
static struct object last_global;

static struct object global_around(const char *at) {
    if (contains(last_global, at)) return last_global;
    if (!globals) collect_globals();
    size_t low = 0, high = global_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (globals[middle].start <= at) low = middle + 1;
        else high = middle;
    }
    if (!low || !contains(globals[low - 1], at)) return (struct object){0};
    return last_global = globals[low - 1];
}

static struct object stack_around(const char *at) {
    size_t looked = 0;
    for (struct plx_stack_object *entry = plx_stack_top; entry-- > plx_stack_bottom && looked++ < 4096;) {
        struct object object = {entry->start, entry->size, 0, 0};
        if (contains(object, at)) return object;
    }
    return (struct object){0};
}

// How far from its start an address in an object on the heap may be.
#define FARTHEST (1 << 18)

static struct object heap_around(const char *at) {
    const char *start = (const char *)((uintptr_t)at & ~(uintptr_t)15);
    for (size_t back = 0; back <= FARTHEST && has_shadow(start - back); back += 16) {
        uint32_t size = *heap_mark_of(start - back);
        struct object object = {start - back, size, 0, 0};
        if (size) return contains(object, at) ? object : (struct object){0};
    }
    return (struct object){0};
}

static struct object object_around(const char *at) {
    if (!has_shadow(at)) return (struct object){0};
    struct object object = (uintptr_t)at >= SYSTEM_FIRST ? stack_around(at) : global_around(at);
    return object.size ? object : heap_around(at);
}

void *plx_object_around(const void *at, size_t *length) {
    struct object object = object_around(at);
    *length = object.size;
    return (void *)object.start;
}

// Whether an address is in an object, or right behind it.
static int spans(struct object object, const char *at) {
    return object.size && at >= object.start && at <= object.start + object.size;
}

// The object that both addresses are in, or right behind; where one ends the next may begin.
static struct object common_object(const char *one, const char *other) {
    const char *candidates[] = {one, other, one - 1, other - 1};
    for (int i = 0; i < 4; i++) {
        struct object object = object_around(candidates[i]);
        if (spans(object, one) && spans(object, other)) return object;
    }
    return (struct object){one == other ? one : 0, 0, 0, 0};
}

uint64_t plx_common_start(const void *one, const void *other) {
    return (uint64_t)common_object(one, other).start;
}

uint64_t plx_common_size(const void *one, const void *other) {
    return common_object(one, other).size;
}

// Whether other constants may be at the same address.
_Bool plx_is_merged(const void *at) { return object_around(at).merged; }

extern void plx_forget_types(const void *at, size_t size) HIDDEN;

void plx_object_born(const void *start, size_t length) {
    if (!start || !has_shadow(start)) return;
    plx_forget_types(start, length);
    plx_clear(start, length);
    if (((uintptr_t)start & 15) == 0) *heap_mark_of(start) = length < UINT32_MAX ? (uint32_t)length : 0;
}

void plx_object_dead(const void *start) {
    if (!start || !has_shadow(start)) return;
    uint32_t size = *heap_mark_of(start);
    plx_clear(start, size);
    *heap_mark_of(start) = 0;
}

// Clears the labels of memory that an unknown function may have written.
PLX_COLD void plx_clear_object_cold(const void *address) {
    if (!has_shadow(address)) return;
    struct object object = object_around(address);
    if (object.size) plx_clear(address, (size_t)(object.start + object.size - (const char *)address));
    else plx_clear(address, 4096 - ((uintptr_t)address & 4095));
}

// The last snapshots, by where their objects start.
#define SNAPSHOTS 1024
static struct { const char *start; size_t size; uint32_t blob; } snapshots[SNAPSHOTS];

static int is_unchanged(uint32_t blob, struct object object) {
    if (object.constant) return 1;
    const struct plx_blob *old = plx_blob_at(blob);
    if (memcmp(old + 1, object.start, object.size) != 0) return 0;
    if (!old->labelled) return plx_is_clean(object.start, object.size);
    size_t padded = (object.size + 15) & ~(size_t)15;
    const char *labels = (const char *)(old + 1) + padded;
    return memcmp(labels, shadow_of(object.start), object.size * sizeof(plx_label)) == 0;
}

static uint32_t snapshot(struct object object) {
    size_t place = ((uintptr_t)object.start >> 4) % SNAPSHOTS;
    if (snapshots[place].start == object.start && snapshots[place].size == object.size &&
        is_unchanged(snapshots[place].blob, object))
        return snapshots[place].blob;
    int labelled = !plx_is_clean(object.start, object.size);
    uint32_t blob = plx_make_blob(object.start, object.size, labelled);
    if (blob) {
        snapshots[place].start = object.start;
        snapshots[place].size = object.size;
        snapshots[place].blob = blob;
    }
    return blob;
}

// An object that is too large is resolved in a part of it: that the access stays in this part is
// a restriction of ours, not the program's.
#define WINDOW 1024
#define IN_WINDOW 0x8000
// It is there for stores of bytes, so that the end of a text can move (`buffer[length] = 0`). What is
// written through symbolic addresses makes more addresses symbolic, so that other accesses, and a
// program that does little else, are better pinned.
#define MOST_WINDOWS 64
#define MOST_UPDATES 1000000
static uint32_t windows, updates;

static struct object window_of(struct object object, const char *at) {
    const char *start = (const char *)(((uintptr_t)at - WINDOW / 2) & ~(uintptr_t)15);
    const char *end = start + WINDOW, *object_end = object.start + object.size;
    if (start < object.start) start = object.start;
    if (end > object_end) end = object_end;
    return (struct object){start, (size_t)(end - start), object.constant, object.merged};
}

// Where an access of `size` bytes is resolved; nowhere if the address is to be pinned. `*extra` is
// what its event says of it.
static struct object resolved(const char *at, uint32_t size, int is_store, uint16_t *extra) {
    struct object object = object_around(at);
    *extra = (uint16_t)size;
    if (updates > MOST_UPDATES) return (struct object){0};
    if (object.size > HEADER->object_room && HEADER->object_room >= WINDOW &&
        is_store && size == 1 && windows < MOST_WINDOWS) {
        windows++;
        object = window_of(object, at);
        *extra |= IN_WINDOW;
    }
    int fits = object.size && object.size <= HEADER->object_room && size <= 8 &&
               at + size <= object.start + object.size;
    return fits ? object : (struct object){0};
}

extern plx_label plx_settle_choice(plx_label base, uint64_t value, const uint8_t *site) HIDDEN;
extern int plx_is_computed_address(plx_label label) HIDDEN;

// The label of an address that is about to be used, which is settled if it can be resolved in no object.
static plx_label address_label(plx_label label, const void *address, const uint8_t *site) {
    label = plx_settle_choice(label, (uint64_t)address, site);
    if (!label || !plx_in_proof() || plx_is_computed_address(label)) return label;
    plx_pin_at(slot_at(site), label, (uint64_t)address, 64, PLX_PIN_ADDRESS);
    return live(label);
}

static PLX_COLD plx_label load_at(const void *address, plx_label label, uint32_t size,
                                  const uint8_t *site);

PLX_COLD plx_label plx_load_cold(const void *address, plx_label label, uint32_t size,
                                 const uint8_t *site) {
    if (!plx_active) return 0;
    // Without a symbolic address it was the memory that has labels.
    if (label == 0 && size == 1) return *shadow_of(address);
    LEAVE_TO load_at(address, label, size, site);
}

static uint64_t constant_of(const struct plx_node *node) { return node->b | (uint64_t)node->c << 32; }

// The greatest that an index can be, as far as one look tells; a number beyond all objects if not.
static uint64_t most_of(plx_label index) {
    const struct plx_node *node = node_of(index);
    if (index >> PLX_LABEL_BYTE_SHIFT == 0 && node->op == PLX_OP_AND && node->flags & PLX_RIGHT_CONSTANT)
        return constant_of(node);
    return bits_of(index) < 32 ? (1ull << bits_of(index)) - 1 : UINT32_MAX;
}

// A table that is as large as its index can be: to say that the access is inside says nothing.
static int is_always_inside(plx_label label, struct object object, uint32_t size) {
    const struct plx_node *node = node_of(label);
    if (label >> PLX_LABEL_BYTE_SHIFT || node->op != PLX_OP_ELEMENT) return 0;
    uint64_t base = constant_of(node), most = most_of(node->a), start = (uint64_t)object.start;
    return most < UINT32_MAX && base >= start &&
           base + most * node->extra + size <= start + object.size;
}

// An address where nothing can be (the end of argv) ends the program now, and another one would not.
static void pin_nowhere(const void *address, plx_label label, const uint8_t *site) {
    label = plx_settle_choice(label, (uint64_t)address, site);
    if (label) plx_pin_at(slot_at(site), label, (uint64_t)address, 64, PLX_PIN_ADDRESS);
}

static PLX_COLD plx_label load_at(const void *address, plx_label label, uint32_t size,
                                  const uint8_t *site) {
    if (!has_shadow(address)) {
        pin_nowhere(address, label, site);
        return 0;
    }
    if (label == 0) return plx_read_labels(address, size);
    label = address_label(label, address, site);
    if (!label) return plx_read_labels(address, size);
    uint16_t extra;
    struct object object = resolved(address, size, 0, &extra);
    uint32_t blob = object.size ? snapshot(object) : 0;
    if (!blob) {
        plx_pin_at(slot_at(site), label, (uint64_t)address, 64, PLX_PIN_ADDRESS);
        return plx_read_labels(address, size);
    }
    if (!is_always_inside(label, object, size))
        plx_emit(PLX_EVENT_ADDRESS, 0, extra, slot_at(site), label, blob);
    return plx_make_node(PLX_OP_LOAD, (uint8_t)(8 * size), 0, 0, label, blob, 0);
}

static uint64_t little_endian(const void *at, uint32_t size) {
    uint64_t value = 0;
    memcpy(&value, at, size);
    return value;
}

// A store that is resolved: what is stored, and where.
struct store { plx_label offset, value, constant; uint64_t stored; uint32_t size; };

static plx_label value_of(struct store *store) {
    if (store->value) return store->value;
    if (!store->constant) store->constant = plx_constant((uint8_t)(8 * store->size), store->stored);
    return store->constant;
}

// What one element of the object is after the store. It is called before the store is made.
static void update(struct store *store, char *element, uint32_t distance) {
    uint32_t size = store->size;
    plx_label old = plx_read_labels(element, size);
    uint64_t old_value = little_endian(element, size);
    // Whether it is hit or not, it is what it was.
    if (!old && !store->value && old_value == store->stored) return;
    updates++;
    if (!old) old = plx_constant((uint8_t)(8 * size), old_value);
    uint8_t flags = (uint8_t)(distance >> 8 << PLX_OFFSET_SHIFT);
    plx_label now = plx_make_node(PLX_OP_UPDATE, (uint8_t)(8 * size), flags, (uint8_t)distance,
                                  store->offset, value_of(store), old);
    plx_write_labels(element, now, size);
}

static uint32_t common_step(uint32_t a, uint32_t b) {
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Elements of this size that are counted by an index: how far apart addresses are that differ. A large
// index may wrap around, which only a power of two survives.
static uint32_t scaled_step(plx_label index, uint64_t scale) {
    const struct plx_node *node = node_of(index);
    int is_extended = index >> PLX_LABEL_BYTE_SHIFT == 0 && node->op == PLX_OP_SIGN_EXTEND;
    uint32_t bits = is_extended ? node->extra : bits_of(index);
    if (bits > 32 || scale >> 31) scale &= -scale;
    return scale >> 31 ? 1 : (uint32_t)scale;
}

// A number that divides how far apart any two addresses are that a label can stand for.
static uint32_t step_of(plx_label label) {
    const struct plx_node *node = node_of(label);
    if (label >> PLX_LABEL_BYTE_SHIFT) return 1;
    int has_constant = (node->flags & PLX_RIGHT_CONSTANT) != 0;
    switch (node->op) {
    case PLX_OP_ELEMENT: return scaled_step(node->a, node->extra);
    case PLX_OP_MUL: return has_constant ? scaled_step(node->a, constant_of(node)) : 1;
    case PLX_OP_ADD: return has_constant ? step_of(node->a) : common_step(step_of(node->a), step_of(node->b));
    default: return 1;
    }
}

static void store_in(struct object object, char *address, plx_label label, struct store *store,
                     uint16_t extra, const uint8_t *site) {
    store->offset = node_with_constant(PLX_OP_OFFSET, 64, PLX_RIGHT_CONSTANT, 0, label,
                                       (uint64_t)object.start);
    if (!store->offset) return;
    uint32_t size = store->size;
    size_t from_start = (size_t)(address - object.start), distance = from_start % size;
    if (extra & IN_WINDOW) HEADER->counters[PLX_COUNTER_PINNED]++;
    plx_emit(PLX_EVENT_ADDRESS, (uint8_t)(1 + distance), extra, slot_at(site), store->offset,
             (uint32_t)object.size);
    // Other fields than this one are out of reach, if it is the field of an element.
    uint32_t step = step_of(label);
    if (step % size) step = size;
    for (distance = from_start % step; distance + size <= object.size; distance += step)
        update(store, (char *)object.start + distance, (uint32_t)distance);
}

PLX_COLD void plx_store_cold(void *address, plx_label label, plx_label value, uint32_t size,
                             const uint8_t *site, const plx_wide *stored) {
    if (!has_shadow(address)) {
        if (plx_active) pin_nowhere(address, label, site);
        return;
    }
    value = plx_active ? live(value) : 0;
    label = plx_active ? address_label(label, address, site) : 0;
    if (value && plx_in_proof() && address == &errno) {
        // The library writes there without a word, and the label would outlive the value.
        plx_count_at(PLX_COUNTER_ROUTE, slot_at(site), "errno with a value of the input");
        value = 0;
    }
    if (label && stored) {
        uint16_t extra;
        struct object object = resolved(address, size, 1, &extra);
        if (object.size && !object.constant) {
            struct store store = {0, value, 0, (uint64_t)*stored, size};
            store_in(object, address, label, &store, extra, site);
            return;
        }
        plx_pin_at(slot_at(site), label, (uint64_t)address, 64, PLX_PIN_ADDRESS);
    }
    plx_write_labels(address, value, size);
}

void plx_object_moved(const void *from, size_t old, const void *to, size_t length) {
    if (!to) return;
    size_t common = old < length ? old : length;
    if (from != to) {
        plx_clear(to, length);
        plx_copy_labels((void *)to, from, common);
        plx_object_dead(from);
    } else {
        plx_clear((const char *)to + common, length - common);
    }
    if (has_shadow(to) && ((uintptr_t)to & 15) == 0)
        *heap_mark_of(to) = length < UINT32_MAX ? (uint32_t)length : 0;
}
