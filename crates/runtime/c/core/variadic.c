// Labels of variadic arguments: put where the callee will load the arguments from.
#include "core.h"

// The va_list of the System V ABI for x86-64.
struct list { uint32_t gp, fp; char *overflow, *saved; };

// How an argument is passed: the instrumentation says so.
enum { GENERAL = 0, FLOATING = 1, MEMORY = 2, MEMORY_16 = 3, PAIR = 4 };
#define GP_END 48
#define FP_END 176

static char *align_16(char *at) { return (char *)(((uintptr_t)at + 15) & ~(uintptr_t)15); }

static void place(char *at, const struct plx_variadic *argument, uint32_t size) {
    if (argument->source) plx_copy_labels(at, (const void *)argument->source, argument->size);
    else plx_write_labels(at, live(argument->label), size);
}

static char *spill(struct list *list, const struct plx_variadic *argument, uint32_t size) {
    if (argument->kind == MEMORY_16 || argument->kind == PAIR) list->overflow = align_16(list->overflow);
    char *at = list->overflow;
    uint64_t used = argument->source ? argument->size : size;
    list->overflow += (used + 7) & ~7ull;
    plx_forget(at, (used + 7) & ~7ull);
    return at;
}

static void pass(struct list *list, const struct plx_variadic *argument) {
    if (argument->kind == GENERAL && list->gp < GP_END) {
        place(list->saved + list->gp, argument, 8);
        list->gp += 8;
    } else if (argument->kind == PAIR && list->gp + 8 < GP_END) {
        place(list->saved + list->gp, argument, 16);
        list->gp += 16;
    } else if (argument->kind == FLOATING && list->fp < FP_END) {
        place(list->saved + list->fp, argument, 8);
        list->fp += 16;
    } else {
        uint32_t size = argument->kind == PAIR || argument->kind == MEMORY_16 ? 16 : 8;
        place(spill(list, argument, size), argument, size);
    }
}

void plx_va_start_cold(void *started, const void *saved) {
    const struct plx_call *call = saved;
    struct list list = *(struct list *)started;
    plx_forget(started, sizeof list);
    plx_forget(list.saved, FP_END);
    for (uint64_t i = 0; i < call->variadic_count; i++) pass(&list, &call->variadic[i]);
    // Beyond what was passed with labels there may be stale ones of an earlier frame.
    if (call->variadic_count == 0) plx_forget(list.overflow, 256);
}
