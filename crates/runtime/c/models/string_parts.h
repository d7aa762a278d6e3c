// What several models need to know about strings and bytes.
#pragma once
#include <stddef.h>

#include "ctype_classes.h"
#include "model.h"

// How many bytes one condition may be about: a longer comparison is several conditions, so that
// looking for a long text in a long one stays linear.
#define PLX_SAME_CHUNK 16
// Comparisons of longer memories are not offered as one condition: each is a copy of both.
#define PLX_COMPARE_LIMIT 256

// Whether `count` bytes are the same in both: one condition for each PLX_SAME_CHUNK bytes, and none
// if bytes that are concrete differ before.
static inline int plx_same_bytes(const void *one, const void *other, size_t count,
                                 int ignore_case) {
    const unsigned char *left = one, *right = other;
    for (size_t start = 0; start < count; start += PLX_SAME_CHUNK) {
        unsigned difference = 0;
        for (size_t at = start; at < count && at < start + PLX_SAME_CHUNK; at++) {
            unsigned x = left[at], y = right[at];
            if (ignore_case) {
                x = (unsigned)plx_to_lower((int)x);
                y = (unsigned)plx_to_lower((int)y);
            }
            if (PLX_IS_CONCRETE(x) && PLX_IS_CONCRETE(y)) {
                if (x != y) {
                    return 0;
                }
            } else {
                difference |= x ^ y;
            }
        }
        if (difference != 0) {
            return 0;
        }
    }
    return 1;
}

// The models that other models are made of: they behave like the functions and keep labels.
extern size_t plx_model_strlen(const char *);
extern size_t plx_model_strnlen(const char *, size_t);
extern void *plx_model_memcpy(void *, const void *, size_t);
extern void *plx_model_memmove(void *, const void *, size_t);
extern void *plx_model_memset(void *, int, size_t);
extern char *plx_model_strchr(const char *, int);

// Memory of a model's own: with bounds, and without labels when it comes and when it goes.
extern void *plx_own_memory(size_t size);
extern void plx_give_back(void *memory);
