// Models of qsort, qsort_r, bsearch, lfind and lsearch.
//
// Decision: comparators run instrumented, so what they ask of symbolic elements is on the path.
// The order in which they are asked shows (in a comparator that prints, or one that contradicts
// itself), so it is that of glibc: a merge sort of two halves, the second one the longer, which
// takes from the first half while its element is not greater. Elements move with their labels.
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "string_parts.h"

typedef int (*comparator)(const void *, const void *, void *);

// Elements longer than this are sorted by pointers to them, and moved once at the end.
#define DIRECT_LIMIT 32

struct sort {
    size_t size;     // of what is moved: an element, or a pointer to one
    int indirect;    // whether it is a pointer
    comparator compare;
    void *context;
    char *scratch;
};

static int is_in_order(const struct sort *sort, const char *one, const char *other) {
    if (sort->indirect) {
        return sort->compare(*(void *const *)one, *(void *const *)other, sort->context) <= 0;
    }
    return sort->compare(one, other, sort->context) <= 0;
}

static void sort_halves(const struct sort *sort, char *start, size_t count);

static void merge(const struct sort *sort, char *start, size_t count) {
    size_t size = sort->size;
    char *left = start, *middle = start + count / 2 * size;
    char *right = middle, *end = start + count * size;
    char *to = sort->scratch;
    while (left < middle && right < end) {
        char **from = is_in_order(sort, left, right) ? &left : &right;
        plx_model_memcpy(to, *from, size);
        *from += size;
        to += size;
    }
    // What is left of the second half is where it belongs.
    plx_model_memcpy(to, left, (size_t)(middle - left));
    plx_model_memcpy(start, sort->scratch, (size_t)(right - start));
}

static void sort_halves(const struct sort *sort, char *start, size_t count) {
    if (count <= 1) {
        return;
    }
    sort_halves(sort, start, count / 2);
    sort_halves(sort, start + count / 2 * sort->size, count - count / 2);
    merge(sort, start, count);
}

// Sorts pointers to the elements, then puts the elements into that order.
static void sort_pointers(const struct sort *sort, char *start, size_t count, size_t size,
                          char **pointers, char *sorted) {
    for (size_t at = 0; at < count; at++) {
        pointers[at] = start + at * size;
    }
    sort_halves(sort, (char *)pointers, count);
    for (size_t at = 0; at < count; at++) {
        plx_model_memcpy(sorted + at * size, pointers[at], size);
    }
    plx_model_memcpy(start, sorted, count * size);
}

// Without memory for a merge the real function sorts in place.
static void sort_natively(void *start, size_t count, size_t size, comparator compare,
                          void *context) {
    plx_count(PLX_COUNTER_UNMODELLED, "qsort");
    plx_clear(start, count * size);
    qsort_r(start, count, size, compare, context);
}

static void sort_elements(void *start, size_t count, size_t size, comparator compare,
                          void *context) {
    start = PLX_PINNED(start, PLX_PIN_ADDRESS);
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    size = PLX_PINNED(size, PLX_PIN_SIZE);
    int indirect = size > DIRECT_LIMIT;
    size_t pointers = indirect ? count * sizeof(void *) : 0;
    char *memory = plx_own_memory(2 * pointers + count * size);
    if (!memory) {
        sort_natively(start, count, size, compare, context);
        return;
    }
    struct sort sort = {indirect ? sizeof(void *) : size, indirect, compare, context, memory};
    if (indirect) {
        sort_pointers(&sort, start, count, size, (char **)(memory + pointers),
                      memory + 2 * pointers);
    } else {
        sort_halves(&sort, start, count);
    }
    plx_give_back(memory);
}

void plx_model_qsort_r(void *start, size_t count, size_t size, comparator compare, void *context) {
    sort_elements(start, count, size, compare, context);
}

// A comparator of two arguments, called with the third one that it does not have.
struct plain {
    int (*compare)(const void *, const void *);
};

static int compare_plain(const void *one, const void *other, void *context) {
    return ((const struct plain *)context)->compare(one, other);
}

void plx_model_qsort(void *start, size_t count, size_t size,
                     int (*compare)(const void *, const void *)) {
    struct plain plain = {compare};
    sort_elements(start, count, size, compare_plain, &plain);
}

void *plx_model_bsearch(const void *key, const void *start, size_t count, size_t size,
                        int (*compare)(const void *, const void *)) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)start + middle * size;
        int order = compare(key, element);
        if (order == 0) {
            return (void *)element;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

void *plx_model_lfind(const void *key, const void *start, size_t *count, size_t size,
                      int (*compare)(const void *, const void *)) {
    const char *element = start;
    for (size_t at = 0; at < *count; at++, element += size) {
        if (compare(key, element) == 0) {
            return (void *)element;
        }
    }
    return NULL;
}

void *plx_model_lsearch(const void *key, void *start, size_t *count, size_t size,
                        int (*compare)(const void *, const void *)) {
    void *found = plx_model_lfind(key, start, count, size, compare);
    if (!found) {
        found = plx_model_memcpy((char *)start + *count * size, key, size);
        ++*count;
    }
    return found;
}
