// Sorting and searching: results, and the order in which elements are compared.
#define _GNU_SOURCE
#include <search.h>

#include "check.h"

#define MODEL(name) extern __typeof__(name) plx_model_##name
MODEL(qsort); MODEL(qsort_r); MODEL(bsearch); MODEL(lfind); MODEL(lsearch);

// A record of what was compared, as a sum that depends on the order.
static uint64_t record;
static const char *base;
static size_t limit;
static int contradicts; // whether the comparator is no order at all

static int order(const void *one, const void *other) {
    uint32_t x, y;
    memcpy(&x, one, sizeof x);
    memcpy(&y, other, sizeof y);
    // Elements are compared where they are, not in copies that are too short to look around in.
    size_t left = (size_t)((const char *)one - base), right = (size_t)((const char *)other - base);
    CHECK(left < limit && right < limit, "an element that is not in the array");
    record = (record ^ left) * 31 + right;
    if (contradicts) {
        return (int)(x * 7 + y * 13) % 5 - 2;
    }
    return (x % 64 > y % 64) - (x % 64 < y % 64);
}

static int order_with(const void *one, const void *other, void *context) {
    record += *(uint64_t *)context;
    return order(one, other);
}

#define COUNT 300
static char original[COUNT * 100], real[COUNT * 100], ours[COUNT * 100];

static void fill(size_t count, size_t size) {
    for (size_t at = 0; at < count * size; at++) {
        original[at] = (char)below(256);
    }
    for (size_t at = 0; below(3) == 0 && at < count; at++) {
        original[at * size] = (char)at;
    }
    memcpy(real, original, count * size);
    memcpy(ours, original, count * size);
}

static void watch(const char *array, size_t bytes) {
    base = array;
    limit = bytes;
    record = 0;
}

static void check_sort(size_t count, size_t size) {
    uint64_t context = 5;
    fill(count, size);
    int with_context = (int)below(2);
    watch(real, count * size);
    with_context ? qsort_r(real, count, size, order_with, &context)
                 : qsort(real, count, size, order);
    uint64_t expected = record;
    watch(ours, count * size);
    with_context ? plx_model_qsort_r(ours, count, size, order_with, &context)
                 : plx_model_qsort(ours, count, size, order);
    CHECK(record == expected, "%zu of %zu bytes: compared in another order", count, size);
    CHECK(!memcmp(real, ours, count * size), "%zu of %zu bytes: other result", count, size);
}

static int equal(const void *key, const void *element) {
    record = record * 31 + (size_t)((const char *)element - base);
    return memcmp(key, element, 4);
}

// In the library's own function; the header has it inline.
static void *(*volatile real_bsearch)(const void *, const void *, size_t, size_t,
                                      int (*)(const void *, const void *)) = bsearch;

static void check_search(size_t count, size_t size) {
    fill(count, size);
    char key[4] = {(char)below(4), 0, 0, 0};
    for (size_t at = 0; at < count; at++) {
        memcpy(ours + at * size, key, 4);
        ours[at * size] = (char)(at % 7);
    }
    watch(ours, 0);
    void *expected = real_bsearch(key, ours, count, size, equal);
    uint64_t expected_record = record;
    watch(ours, 0);
    CHECK(plx_model_bsearch(key, ours, count, size, equal) == expected &&
              record == expected_record, "bsearch in %zu", count);
    memcpy(real, ours, sizeof real);
    key[1] = (char)below(2);
    size_t real_count = count, our_count = count;
    watch(real, 0);
    char *real_found = lfind(key, real, &real_count, size, equal);
    expected_record = record;
    watch(ours, 0);
    char *found = plx_model_lfind(key, ours, &our_count, size, equal);
    CHECK((found ? found - ours : -1) == (real_found ? real_found - real : -1), "lfind");
    CHECK(record == expected_record, "lfind compares in another order");
    watch(real, 0);
    real_found = lsearch(key, real, &real_count, size, equal);
    watch(ours, 0);
    found = plx_model_lsearch(key, ours, &our_count, size, equal);
    CHECK(found - ours == real_found - real && real_count == our_count, "lsearch");
    CHECK(!memcmp(found, real_found, 4), "lsearch copies the key");
}

void check(void) {
    static const size_t sizes[] = {4, 5, 8, 12, 16, 32, 33, 40, 64, 100};
    for (int round = 0; round < 3000; round++) {
        size_t size = sizes[below(10)];
        contradicts = below(4) == 0;
        check_sort(below(4) ? below(12) : below(COUNT), size);
        check_search(below(20), 4);
    }
}
