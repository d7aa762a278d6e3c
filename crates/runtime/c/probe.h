// What instrumented code calls when a label turns up: the cold half of the probes.
//
// A descriptor packs an operator (bits 0-7), a width (8-15) and the extra number of a node (16-23).
// Sites are pointers into the coverage array, which the linker lays out.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

#define PLX_COLD __attribute__((preserve_most, cold, noinline))

typedef unsigned __int128 plx_wide;

// Every byte of memory belongs to granules of 256 bytes, and a granule has a byte of its own that is
// not zero if a label may be in it or in the 15 bytes after it. So one look tells whether an access
// of up to 16 bytes can meet a label. The map starts at address 0: its used part lies far below
// where programs without address randomisation are.
#define PLX_GRANULE(address) (*(volatile uint8_t *)((uintptr_t)(address) >> 8))

extern PLX_COLD plx_label plx_unary_cold(uint32_t descriptor, plx_label a);
extern PLX_COLD plx_label plx_binary_cold(uint32_t descriptor, plx_label a, plx_label b, uint64_t left,
                                          uint64_t right);
extern PLX_COLD plx_label plx_binary_wide_cold(uint32_t descriptor, plx_label a, plx_label b,
                                               plx_wide left, plx_wide right);
extern PLX_COLD plx_label plx_ternary_cold(uint32_t descriptor, plx_label a, plx_label b, plx_label c,
                                           const plx_wide *values);
extern PLX_COLD plx_label plx_select_cold(uint32_t descriptor, plx_label condition, plx_label yes,
                                          plx_label no, int taken, uint64_t yes_value,
                                          uint64_t no_value);
extern PLX_COLD plx_label plx_extend_cold(plx_label label, uint32_t from);
extern PLX_COLD plx_label plx_pointer_cold(plx_label base, uint64_t from, uint64_t to);
extern PLX_COLD plx_label plx_index_cold(plx_label sum, plx_label index, uint64_t result,
                                         uint64_t value, uint32_t width, uint64_t scale);

extern PLX_COLD plx_label plx_load_cold(const void *address, plx_label label, uint32_t size,
                                        const uint8_t *site);
extern PLX_COLD plx_label plx_load_pointer_cold(const void *address, plx_label label, uint32_t size,
                                                const uint8_t *site);
extern PLX_COLD void plx_store_cold(void *address, plx_label label, plx_label value, uint32_t size,
                                    const uint8_t *site, const plx_wide *stored);

extern PLX_COLD void plx_branch_cold(const uint8_t *site, plx_label condition, int taken,
                                     const uint8_t *model_site);
extern PLX_COLD void plx_switch_cold(const uint8_t *site, plx_label label, uint64_t value,
                                     uint32_t width, const uint8_t *model_site);
extern PLX_COLD void plx_divisor_cold(const uint8_t *site, plx_label label, uint32_t width,
                                      int is_zero);
extern PLX_COLD void plx_pin_cold(const uint8_t *site, plx_label label, uint64_t value,
                                  uint32_t reason);
extern PLX_COLD void plx_lost_cold(const uint8_t *site, uint16_t counter);
extern PLX_COLD void plx_lost_memory_cold(const uint8_t *site, const void *address, size_t size,
                                          uint16_t counter);
extern PLX_COLD void plx_unmodelled_cold(const uint8_t *site, const char *name);
extern PLX_COLD void plx_clear_object_cold(const void *address);
extern PLX_COLD void plx_clear_cold(const void *address, size_t size);
extern PLX_COLD void plx_copy_cold(void *to, const void *from, size_t size);
extern PLX_COLD void plx_fill_cold(void *to, plx_label label, uint64_t value, size_t size);
extern void plx_va_start_cold(void *list, const void *saved);

// Of proof builds.
extern PLX_COLD void plx_obligation_cold(const uint8_t *site, plx_label label, int holds,
                                         uint32_t kind);
extern PLX_COLD void plx_note_cold(const uint8_t *site, uint16_t counter, const char *name);
extern void plx_unwritten(const void *start, size_t size);
extern plx_label plx_pointer_label(plx_label label);

// Labels of a call through a pointer, or from code that is not instrumented: they belong only to the
// callee that is named.
#define PLX_CALL_LABELS 64
#define PLX_CALL_COPIES 8
#define PLX_CALL_VARIADIC 128
struct plx_variadic { plx_label label; uint32_t kind; uint64_t size, source; };
struct plx_call {
    const void *callee;
    uint64_t signature; // of the call, if a proof wants to know
    plx_label labels[PLX_CALL_LABELS];
    const void *copies[PLX_CALL_COPIES];
    // Labels of the arguments after the named ones.
    uint64_t variadic_count;
    struct plx_variadic variadic[PLX_CALL_VARIADIC];
};
struct plx_return {
    const void *callee;
    plx_label labels[PLX_CALL_LABELS];
};
extern __thread struct plx_call plx_call __attribute__((tls_model("initial-exec")));
extern __thread struct plx_return plx_return __attribute__((tls_model("initial-exec")));

// Arrays on the stack, the innermost frame's last. Only the first thread has a list.
struct plx_stack_object { const void *start; uint64_t size; };
extern __thread struct plx_stack_object *plx_stack_top
    __attribute__((visibility("hidden"), tls_model("initial-exec")));
extern struct plx_stack_object *plx_stack_bottom __attribute__((visibility("hidden")));

// Where the program called the model that is running. Cold halves read it that are declared to
// read nothing of the program's: the store must stay where it is.
extern __thread const uint8_t *volatile plx_model_caller
    __attribute__((visibility("hidden"), tls_model("initial-exec")));
extern void plx_trace_idle(void);

extern PLX_COLD void plx_foreign_reads_cold(const uint8_t *site, const char *name,
                                            const void *address);
extern PLX_COLD void plx_returned_cold(const uint8_t *site, const char *name, const void *address);
extern PLX_COLD _Bool plx_range_is_clean_cold(const void *first, const void *last, size_t size);

extern PLX_COLD void plx_record_cold(uint8_t kind, const uint8_t *site);
extern PLX_COLD void plx_record_branch_cold(const uint8_t *site, int taken);
extern PLX_COLD void plx_record_switch_cold(const uint8_t *site, uint64_t value, uint32_t width);
extern PLX_COLD void plx_record_value_cold(const uint8_t *site, plx_label label, uint64_t value,
                                           uint32_t width);
extern PLX_COLD void plx_record_call_cold(const uint8_t *site);
extern PLX_COLD void plx_record_reads_cold(const uint8_t *site, const void *address, size_t size);
extern PLX_COLD void plx_record_text_cold(const uint8_t *site, const void *address);
extern PLX_COLD void plx_stored_cold(const void *address, size_t size);
extern PLX_COLD void plx_wrote_cold(const void *address, size_t size);
// One more than the record of the call, by recorded code, that is under way.
extern __thread uint32_t plx_call_record
    __attribute__((visibility("hidden"), tls_model("initial-exec")));
