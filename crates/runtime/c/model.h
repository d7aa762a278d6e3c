// What a model of a library function may use.
//
// A function `plx_model_NAME` takes the place of the subject's calls of NAME (also where its address
// is taken). Models are compiled to bitcode and instrumented like the subject, so a branch on a
// symbolic value in a model is a symbolic branch of the run, and copying a byte copies its label.
// A call of a library function in a model is the real one, run natively: its result is concrete,
// it does not look at labels and it leaves them as they are. So a model that has a buffer filled by
// the real function says what labels the buffer has now (plx_clear, plx_label_input, ...).
//
// The functions below are the runtime's own. They are not instrumented: they see concrete values,
// except for the two that turn a value into its label and back.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "abi.h"

// A second name of the same function, such as __isoc99_sscanf: in the file that defines the model.
#define PLX_ALIAS(other, name)                                                                     \
    extern __typeof__(plx_model_##name) plx_model_##other                                          \
        __attribute__((alias("plx_model_" #name)))

// Known to the instrumentation: the label of `value` as a number, and `value` with that label.
extern plx_label plx_label_of(uint64_t value);
extern uint64_t plx_with_label(uint64_t value, plx_label label);

// Whether `value` is concrete.
#define PLX_IS_CONCRETE(value) (plx_label_of((uint64_t)(value)) == 0)
// `value` from now on taken for concrete; the path condition says so.
#define PLX_PINNED(value, reason)                                                                  \
    ((__typeof__(value))plx_pin(plx_label_of((uint64_t)(value)), (uint64_t)(value), (reason)))

// Whether this run is traced at all. If not, there are no labels.
extern int plx_tracing(void);

// Labels of memory.
extern int plx_is_clean(const void *start, size_t length);
extern void plx_clear(const void *start, size_t length);
extern void plx_copy_labels(void *to, const void *from, size_t length);
// The label of the byte at `at` (0: concrete).
extern plx_label plx_label_at(const void *at);

// Pins a label to its value and returns the value (also if the label is 0).
extern uint64_t plx_pin(plx_label label, uint64_t value, uint16_t reason);
// Counts an approximation (PLX_COUNTER_*); `name` may be null.
extern void plx_count(uint16_t counter, const char *name);

// Inputs. The number of the one of this kind, index (of arguments) and name (of files and
// variables, else null): a new one if the run has none yet. `plx_no_input` if it is fixed by the
// test, if there is no room, or if the run is not traced.
#define plx_no_input UINT32_MAX
extern uint32_t plx_input(uint32_t kind, uint32_t index, const char *name);
extern plx_label plx_input_byte(uint32_t input, uint64_t offset);
extern plx_label plx_input_length(uint32_t input);
extern plx_label plx_input_exists(uint32_t input);
extern plx_label plx_input_count(void);
// Gives `length` bytes at `start` the labels of the input's bytes from `offset` on.
extern void plx_label_input(void *start, size_t length, uint32_t input, uint64_t offset);

// How long an argument or a variable may become, and how many arguments there may become (without
// argv[0]).
extern size_t plx_argument_room(void);
extern uint32_t plx_arguments_room(void);
// The label of `index < count ? pointer : NULL`, 64 bits wide.
extern plx_label plx_pointer_if(plx_label count, uint32_t index, const void *pointer);

// Whether this is a proof build. What the program has never written is marked as such then.
extern int plx_in_proof(void);
extern void plx_unwritten(const void *start, size_t length);
// The label of a value that nothing may depend on; 0 outside of proof builds.
extern plx_label plx_unknown(void);

// Output events: bytes with the labels they have in memory; a value by a conversion like "%5d".
extern void plx_output_bytes(int descriptor, const void *start, size_t length);
extern void plx_output_value(int descriptor, const char *conversion, size_t length, uint64_t value,
                             plx_label label);
// Two memories are compared: offered to the search as one condition.
extern void plx_compare(const void *one, size_t one_length, const void *other, size_t other_length,
                        int equal, int ignore_case);
// The text at `start`, of `length` bytes and one behind them, was read as a number: the label of that
// number, whose own one is `label`. 0 if all of the text is concrete.
extern plx_label plx_number(const char *start, size_t length, int base, int is_signed,
                            uint64_t value, plx_label label);
// The program ends (see PLX_EVENT_END).
extern void plx_end(int how, plx_label label, int status);

// Objects on the heap: their bounds are known from birth to death. Both clear labels.
extern void plx_object_born(const void *start, size_t length);
extern void plx_object_dead(const void *start);
// The object around an address: its start, and its length in `*length`; null if it is not known.
extern void *plx_object_around(const void *at, size_t *length);

// The object at `from`, of `old` bytes, is now at `to` (which may be the same) and has `length`
// bytes. What both have in common keeps its labels, the rest has none.
extern void plx_object_moved(const void *from, size_t old, const void *to, size_t length);

// The program has mapped memory at an address of its choice. Labels are kept only where programs
// usually are; elsewhere it is made known that there are none.
extern void plx_memory_mapped(const void *start, size_t length);

// The child of a fork, and a thread that is not the first, are not traced from here on.
extern void plx_stop_tracing(uint16_t counter);
