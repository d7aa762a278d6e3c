// The hot half of the probes: inlined into the program, so that what is concrete pays a few
// instructions and no call.
#include "probe.h"

#define PLX_HOT __attribute__((always_inline, nodebug))
#define PLX_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define PLX_ADDRESS_HAS_LABELS(address) (*(const uint8_t *)((uintptr_t)(address) >> 8))

PLX_HOT plx_label plx_unary(uint32_t descriptor, plx_label a) {
    if (PLX_LIKELY(a == 0)) return 0;
    return plx_unary_cold(descriptor, a);
}

PLX_HOT plx_label plx_binary(uint32_t descriptor, plx_label a, plx_label b, uint64_t left,
                             uint64_t right) {
    if (PLX_LIKELY((a | b) == 0)) return 0;
    return plx_binary_cold(descriptor, a, b, left, right);
}

PLX_HOT plx_label plx_binary_wide(uint32_t descriptor, plx_label a, plx_label b, plx_wide left,
                                  plx_wide right) {
    if (PLX_LIKELY((a | b) == 0)) return 0;
    return plx_binary_wide_cold(descriptor, a, b, left, right);
}

PLX_HOT plx_label plx_ternary(uint32_t descriptor, plx_label a, plx_label b, plx_label c, plx_wide x,
                              plx_wide y, plx_wide z) {
    if (PLX_LIKELY((a | b | c) == 0)) return 0;
    plx_wide values[3] = {x, y, z};
    return plx_ternary_cold(descriptor, a, b, c, values);
}

PLX_HOT plx_label plx_select(uint32_t descriptor, plx_label condition, plx_label yes, plx_label no,
                             _Bool taken, uint64_t yes_value, uint64_t no_value) {
    if (PLX_LIKELY(condition == 0)) return taken ? yes : no;
    return plx_select_cold(descriptor, condition, yes, no, taken, yes_value, no_value);
}

PLX_HOT plx_label plx_extend(plx_label label, uint32_t from) {
    if (PLX_LIKELY(label == 0)) return 0;
    return plx_extend_cold(label, from);
}

PLX_HOT plx_label plx_pointer(plx_label base, uint64_t from, uint64_t to) {
    if (PLX_LIKELY(base == 0)) return 0;
    return plx_pointer_cold(base, from, to);
}

PLX_HOT plx_label plx_index(plx_label sum, plx_label index, uint64_t result, uint64_t value,
                            uint32_t width, uint64_t scale) {
    if (PLX_LIKELY(index == 0)) return sum;
    return plx_index_cold(sum, index, result, value, width, scale);
}

PLX_HOT plx_label plx_load(const void *address, plx_label label, uint32_t size,
                           const uint8_t *site) {
    // An address that is symbolic may be one where nothing is, and then there are no labels to look at.
    if (PLX_LIKELY(label == 0) && PLX_LIKELY(PLX_ADDRESS_HAS_LABELS(address) == 0)) return 0;
    return plx_load_cold(address, label, size, site);
}

PLX_HOT plx_label plx_load_pointer(const void *address, plx_label label, uint32_t size,
                                   const uint8_t *site) {
    if (PLX_LIKELY(label == 0) && PLX_LIKELY(PLX_ADDRESS_HAS_LABELS(address) == 0)) return 0;
    return plx_load_pointer_cold(address, label, size, site);
}

// In a proof build: the label of a pointer in memory, which says that it is no number.
PLX_HOT plx_label plx_stored_pointer(plx_label label, const void *pointer) {
    return label || pointer ? plx_pointer_label(label) : 0;
}

PLX_HOT void plx_store(void *address, plx_label label, plx_label value, uint32_t size,
                       const uint8_t *site) {
    if (PLX_LIKELY((label | value) == 0) && PLX_LIKELY(PLX_ADDRESS_HAS_LABELS(address) == 0)) return;
    plx_store_cold(address, label, value, size, site, 0);
}

// A store through an address that may be symbolic: the value itself is needed then.
PLX_HOT void plx_store_at(void *address, plx_label label, plx_label value, uint32_t size,
                          const uint8_t *site, plx_wide stored) {
    if (PLX_LIKELY((label | value) == 0) && PLX_LIKELY(PLX_ADDRESS_HAS_LABELS(address) == 0)) return;
    plx_wide copy = stored;
    plx_store_cold(address, label, value, size, site, &copy);
}

PLX_HOT void plx_branch(const uint8_t *site, plx_label condition, _Bool taken) {
    if (PLX_LIKELY(condition == 0)) return;
    plx_branch_cold(site, condition, taken, 0);
}

PLX_HOT void plx_model_branch(const uint8_t *site, plx_label condition, _Bool taken) {
    if (PLX_LIKELY(condition == 0)) return;
    plx_branch_cold(0, condition, taken, site);
}

PLX_HOT void plx_switch(const uint8_t *site, plx_label label, uint64_t value, uint32_t width) {
    if (PLX_LIKELY(label == 0)) return;
    plx_switch_cold(site, label, value, width, 0);
}

PLX_HOT void plx_model_switch(const uint8_t *site, plx_label label, uint64_t value,
                              uint32_t width) {
    if (PLX_LIKELY(label == 0)) return;
    plx_switch_cold(0, label, value, width, site);
}

PLX_HOT void plx_divisor(const uint8_t *site, plx_label label, uint32_t width, _Bool is_zero) {
    if (PLX_LIKELY(label == 0)) return;
    plx_divisor_cold(site, label, width, is_zero);
}

PLX_HOT void plx_obligation(const uint8_t *site, plx_label label, _Bool holds, uint32_t kind) {
    if (PLX_LIKELY(label == 0) && PLX_LIKELY(!holds)) return;
    plx_obligation_cold(site, label, holds, kind);
}

PLX_HOT void plx_note(const uint8_t *site, uint16_t counter, const char *name) {
    plx_note_cold(site, counter, name);
}

PLX_HOT void plx_mark_unwritten(const void *start, size_t size) { plx_unwritten(start, size); }

PLX_HOT void plx_pin_value(const uint8_t *site, plx_label label, uint64_t value, uint32_t reason) {
    if (PLX_LIKELY(label == 0)) return;
    plx_pin_cold(site, label, value, reason);
}

PLX_HOT void plx_lost(const uint8_t *site, plx_label label, uint16_t counter) {
    if (PLX_LIKELY(label == 0)) return;
    plx_lost_cold(site, counter);
}

PLX_HOT void plx_lost_memory(const uint8_t *site, const void *address, size_t size,
                             uint16_t counter) {
    if (PLX_LIKELY((PLX_ADDRESS_HAS_LABELS(address) |
                    PLX_ADDRESS_HAS_LABELS((const char *)address + size - 1)) == 0))
        return;
    plx_lost_memory_cold(site, address, size, counter);
}

// At most 256 bytes: they lie in at most two granules.
PLX_HOT void plx_clear_few(const void *address, size_t size) {
    if (PLX_LIKELY((PLX_ADDRESS_HAS_LABELS(address) |
                    PLX_ADDRESS_HAS_LABELS((const char *)address + size - 1)) == 0))
        return;
    plx_clear_cold(address, size);
}

PLX_HOT void plx_copy_few(void *to, const void *from, size_t size) {
    if (PLX_LIKELY((PLX_ADDRESS_HAS_LABELS(to) | PLX_ADDRESS_HAS_LABELS((char *)to + size - 1) |
                    PLX_ADDRESS_HAS_LABELS(from) |
                    PLX_ADDRESS_HAS_LABELS((const char *)from + size - 1)) == 0))
        return;
    plx_copy_cold(to, from, size);
}

PLX_HOT void plx_push_object(const void *start, uint64_t size) {
    struct plx_stack_object *top = plx_stack_top;
    if (!PLX_LIKELY(top)) return;
    top->start = start;
    top->size = size;
    plx_stack_top = top + 1;
}

// Objects below the stack's end are gone.
PLX_HOT void plx_pop_objects(const void *end) {
    struct plx_stack_object *top = plx_stack_top;
    if (!top) return;
    while (top != plx_stack_bottom && (top - 1)->start < end) top--;
    plx_stack_top = top;
}

// After longjmp: the frames below this one are gone.
PLX_HOT void plx_landed(int result) {
    const void *end;
    if (result == 0) return;
    plx_trace_idle();
    __asm__ volatile("movq %%rsp, %0" : "=r"(end));
    plx_pop_objects(end);
}

PLX_HOT plx_label plx_argument(const void *callee, uint32_t index) {
    return plx_call.callee == callee ? plx_call.labels[index] : 0;
}

PLX_HOT const void *plx_argument_copy(const void *callee, uint32_t index) {
    return plx_call.callee == callee ? plx_call.copies[index] : 0;
}

// What is in a fresh copy of an argument passed in memory: what is in the original.
PLX_HOT void plx_take_copy(void *copy, const void *original, size_t size) {
    if (original) plx_copy_cold(copy, original, size);
    else plx_clear_cold(copy, size);
}

PLX_HOT void plx_save_variadic(struct plx_call *saved, const void *callee) {
    uint64_t count = plx_call.callee == callee ? plx_call.variadic_count : 0;
    saved->variadic_count = count;
    for (uint64_t i = 0; i < count; i++) saved->variadic[i] = plx_call.variadic[i];
}

PLX_HOT void plx_pass_variadic(uint32_t index, plx_label label, uint32_t kind, uint64_t size,
                               const void *source) {
    plx_call.variadic[index] = (struct plx_variadic){label, kind, size, (uint64_t)source};
}

PLX_HOT plx_label plx_result(const void *callee, uint32_t index) {
    return plx_return.callee == callee ? plx_return.labels[index] : 0;
}

// After a call through a pointer: whether something that is not instrumented has run.
PLX_HOT _Bool plx_was_foreign(const void *callee) { return plx_return.callee != callee; }

PLX_HOT void plx_clear_object_if(_Bool foreign, const void *address) {
    if (__builtin_expect(foreign, 0)) plx_clear_object_cold(address);
}

PLX_HOT void plx_pin_if(_Bool foreign, const uint8_t *site, plx_label label, uint64_t value,
                        uint32_t reason) {
    if (PLX_LIKELY(label == 0) || PLX_LIKELY(!foreign)) return;
    plx_pin_cold(site, label, value, reason);
}

PLX_HOT void plx_unmodelled_if(_Bool foreign, const uint8_t *site, const char *name) {
    if (__builtin_expect(foreign, 0)) plx_unmodelled_cold(site, name);
}

PLX_HOT void plx_pass(uint32_t index, plx_label label) { plx_call.labels[index] = label; }

PLX_HOT void plx_pass_copy(uint32_t index, const void *original) { plx_call.copies[index] = original; }

PLX_HOT void plx_set_variadic_count(uint64_t count) { plx_call.variadic_count = count; }

PLX_HOT void plx_set_callee(const void *callee) {
    plx_call.callee = callee;
    plx_call.signature = 0;
}

PLX_HOT void plx_set_signature(uint64_t signature) { plx_call.signature = signature; }

// A function that is called as one of another type gets and returns what happens to be there.
PLX_HOT void plx_check_signature(const void *callee, uint64_t own) {
    if (plx_call.callee == callee && plx_call.signature && plx_call.signature != own)
        plx_note_cold(0, PLX_COUNTER_ROUTE, "a function that is called as another type");
}

// The labels are the callee's now: a later call that passes none must not find them.
PLX_HOT void plx_taken(void) { plx_call.callee = 0; }

PLX_HOT void plx_return_label(uint32_t index, plx_label label) { plx_return.labels[index] = label; }

PLX_HOT void plx_set_return(const void *callee) { plx_return.callee = callee; }

PLX_HOT void plx_enter_model(const uint8_t *site) { plx_model_caller = site; }

// A model calls the program back, which may call other models.
PLX_HOT const uint8_t *plx_save_caller(void) { return plx_model_caller; }

PLX_HOT struct plx_stack_object *plx_save_stack(void) { return plx_stack_top; }

PLX_HOT void plx_restore_stack(struct plx_stack_object *top) { plx_stack_top = top; }

// A function that is known to write no more than is cleared, but not to know labels.
PLX_HOT void plx_foreign_reads(const uint8_t *site, const char *name, const void *address) {
    if (PLX_LIKELY((uintptr_t)address < 4096 || PLX_ADDRESS_HAS_LABELS(address) == 0)) return;
    plx_foreign_reads_cold(site, name, address);
}

// In a proof: what a function of the library returns the address of, it may have written.
PLX_HOT void plx_returned(const uint8_t *site, const char *name, const void *address) {
    if (PLX_LIKELY((uintptr_t)address < 4096 || PLX_ADDRESS_HAS_LABELS(address) == 0)) return;
    plx_returned_cold(site, name, address);
}

PLX_HOT void plx_clear_many(const void *address, size_t size) { plx_clear_cold(address, size); }

PLX_HOT void plx_copy_many(void *to, const void *from, size_t size) { plx_copy_cold(to, from, size); }

PLX_HOT void plx_fill(void *to, plx_label label, uint64_t value, size_t size) {
    plx_fill_cold(to, label, value, size);
}

PLX_HOT void plx_clear_object(const void *address) { plx_clear_object_cold(address); }

PLX_HOT void plx_unmodelled(const uint8_t *site, const char *name) { plx_unmodelled_cold(site, name); }

PLX_HOT void plx_lose(const uint8_t *site, uint16_t counter) { plx_lost_cold(site, counter); }

PLX_HOT void plx_va_started(void *list, const void *saved) { plx_va_start_cold(list, saved); }

// Around a loop: whether the memory between two accesses is free of labels.
PLX_HOT _Bool plx_range_is_clean(const void *first, const void *last, size_t size) {
    return plx_range_is_clean_cold(first, last, size);
}

// At least as often as a counter takes this step from one number up to the other; a number that no
// memory is large enough for if that is absurd (also if it is the wrong way).
PLX_HOT uint64_t plx_trips(uint64_t from, uint64_t to, uint64_t step) {
    uint64_t trips = (to - from) / step + 1;
    return trips < (1u << 28) ? trips : 1u << 28;
}

// In recorded functions: what aligning two runs needs.
PLX_HOT void plx_record_enter(const uint8_t *site) { plx_record_cold(PLX_EVENT_ENTER, site); }

PLX_HOT void plx_record_leave(const uint8_t *site) { plx_record_cold(PLX_EVENT_LEAVE, site); }

PLX_HOT void plx_record_branch(const uint8_t *site, plx_label condition, _Bool taken) {
    if (condition == 0) plx_record_branch_cold(site, taken);
}

PLX_HOT void plx_record_switch(const uint8_t *site, plx_label label, uint64_t value, uint32_t width) {
    if (label == 0) plx_record_switch_cold(site, value, width);
}

PLX_HOT void plx_record_value(const uint8_t *site, plx_label label, uint64_t value, uint32_t width) {
    plx_record_value_cold(site, label, value, width);
}

PLX_HOT void plx_record_reads(const uint8_t *site, const void *address, size_t size) {
    plx_record_reads_cold(site, address, size);
}

PLX_HOT void plx_record_text(const uint8_t *site, const void *address) {
    plx_record_text_cold(site, address);
}

PLX_HOT void plx_record_call(const uint8_t *site) { plx_record_call_cold(site); }

PLX_HOT uint32_t plx_save_call(void) { return plx_call_record; }

PLX_HOT void plx_restore_call(uint32_t record) { plx_call_record = record; }

PLX_HOT void plx_stored(const void *address, size_t size) { plx_stored_cold(address, size); }

// In all functions of a program that has recorded ones: who writes.
PLX_HOT void plx_wrote(const void *address, size_t size) { plx_wrote_cold(address, size); }
