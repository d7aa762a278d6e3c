// The heap: the real allocator, with the bounds of each object told to the runtime.
//
// Decision: a symbolic size is pinned, because the allocator's answer (an address) depends on it in
// ways that no expression describes.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "file.h"

static void *born(void *object, size_t length) {
    if (object && plx_tracing()) plx_object_born(object, length);
    return object;
}

// An object that holds what happened to be there.
static void *unwritten(void *object, size_t length) {
    born(object, length);
    if (object && plx_in_proof() && plx_tracing()) plx_unwritten(object, length);
    return object;
}

void *plx_model_malloc(size_t length) {
    length = PLX_PIN_LENGTH(length);
    return unwritten(malloc(length), length);
}

void *plx_model_calloc(size_t count, size_t length) {
    count = PLX_PIN_LENGTH(count);
    length = PLX_PIN_LENGTH(length);
    return born(calloc(count, length), count * length);
}

void plx_model_free(void *object) {
    object = PLX_PIN_POINTER(object);
    if (object && plx_tracing()) plx_object_dead(object);
    free(object);
}
PLX_ALIAS(cfree, free);

// An object of which the runtime was not told was made inside the library.
static size_t length_of(void *object) {
    size_t length = 0;
    if (plx_object_around(object, &length) != object) length = malloc_usable_size(object);
    return length;
}

void *plx_model_realloc(void *object, size_t length) {
    object = PLX_PIN_POINTER(object);
    length = PLX_PIN_LENGTH(length);
    if (!object) return plx_model_malloc(length);
    if (!plx_tracing()) return realloc(object, length);
    if (length == 0) {
        plx_object_dead(object);
        return realloc(object, 0);
    }
    size_t old = length_of(object);
    void *moved = realloc(object, length);
    if (moved) plx_object_moved(object, old, moved, length);
    if (moved && length > old && plx_in_proof()) plx_unwritten((char *)moved + old, length - old);
    return moved;
}

void *plx_model_reallocarray(void *object, size_t count, size_t length) {
    size_t total;
    count = PLX_PIN_LENGTH(count);
    length = PLX_PIN_LENGTH(length);
    if (__builtin_mul_overflow(count, length, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return plx_model_realloc(object, total);
}

int plx_model_posix_memalign(void **out, size_t alignment, size_t length) {
    out = PLX_PIN_POINTER(out);
    alignment = PLX_PIN_LENGTH(alignment);
    length = PLX_PIN_LENGTH(length);
    void *object;
    int result = posix_memalign(&object, alignment, length);
    if (result == 0) *out = unwritten(object, length);
    return result;
}

void *plx_model_aligned_alloc(size_t alignment, size_t length) {
    alignment = PLX_PIN_LENGTH(alignment);
    length = PLX_PIN_LENGTH(length);
    return unwritten(aligned_alloc(alignment, length), length);
}

void *plx_model_memalign(size_t alignment, size_t length) {
    alignment = PLX_PIN_LENGTH(alignment);
    length = PLX_PIN_LENGTH(length);
    return unwritten(memalign(alignment, length), length);
}

void *plx_model_valloc(size_t length) {
    length = PLX_PIN_LENGTH(length);
    return unwritten(valloc(length), length);
}

void *plx_model_pvalloc(size_t length) {
    length = PLX_PIN_LENGTH(length);
    return unwritten(pvalloc(length), length);
}
