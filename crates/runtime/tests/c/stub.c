// A runtime without labels, for models that are run natively: it answers as if everything were
// concrete, or symbolic, or as chance has it, so that models take their fast and their slow ways.
// Memory that it is told about is touched, so that a wrong length is a fault.
#include <sys/mman.h>

#include "check.h"
#include "model.h"

enum mode mode;

static uint64_t state = 88172645463325252u;

uint64_t below(uint64_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return limit ? (state >> 11) % limit : 0;
}

static int is_symbolic(void) {
    return mode == ALL_SYMBOLIC || (mode == AT_RANDOM && below(2));
}

static void touch(const void *start, size_t length) {
    if (length > 0) {
        (void)*(const volatile char *)start;
        (void)((const volatile char *)start)[length - 1];
    }
}

plx_label plx_label_of(uint64_t value) {
    (void)value;
    return is_symbolic() ? 1 : 0;
}

uint64_t plx_with_label(uint64_t value, plx_label label) {
    (void)label;
    return value;
}

int plx_tracing(void) { return mode != ALL_CONCRETE; }

int plx_is_clean(const void *start, size_t length) {
    touch(start, length);
    return !is_symbolic();
}

void plx_clear(const void *start, size_t length) { touch(start, length); }

void plx_copy_labels(void *to, const void *from, size_t length) {
    touch(to, length);
    touch(from, length);
}

plx_label plx_label_at(const void *at) {
    touch(at, 1);
    return is_symbolic() ? 1 : 0;
}

uint64_t plx_pin(plx_label label, uint64_t value, uint16_t reason) {
    (void)label;
    (void)reason;
    return value;
}

void plx_count(uint16_t counter, const char *name) {
    (void)counter;
    (void)name;
}

void plx_output_bytes(int descriptor, const void *start, size_t length) {
    (void)descriptor;
    touch(start, length);
}

plx_label plx_number(const char *start, size_t length, int base, int is_signed, uint64_t value,
                     plx_label label) {
    touch(start, length + 1);
    (void)base, (void)is_signed, (void)value;
    return label;
}

void plx_compare(const void *one, size_t one_length, const void *other, size_t other_length,
                 int equal, int ignore_case) {
    touch(one, one_length);
    touch(other, other_length);
    if (!ignore_case) {
        int same = one_length == other_length && !memcmp(one, other, one_length);
        CHECK(same == equal, "offered as %d: '%s' and '%s'", equal, shown(one, one_length),
              shown(other, other_length));
    }
}

void plx_object_born(const void *start, size_t length) { touch(start, length); }

void plx_object_dead(const void *start) { touch(start, 1); }

// Memory.

#define SLOT_ROOM (UINT64_C(1) << 20)
#define PAGE 4096

char *guarded(int slot, const void *from, size_t count) {
    static char *slots[8];
    if (!slots[slot]) {
        slots[slot] = mmap(NULL, SLOT_ROOM + PAGE, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(slots[slot] + SLOT_ROOM, PAGE, PROT_NONE);
    }
    char *to = slots[slot] + SLOT_ROOM - count;
    if (from) {
        memmove(to, from, count);
    }
    return to;
}

char *guarded_text(int slot, const char *text) { return guarded(slot, text, strlen(text) + 1); }

char *random_text(int slot, const char *alphabet, size_t limit) {
    size_t length = below(limit + 1), letters = strlen(alphabet);
    char *text = guarded(slot, NULL, length + 1);
    for (size_t at = 0; at < length; at++) {
        text[at] = alphabet[below(letters)];
    }
    text[length] = '\0';
    return text;
}

const char *pick(const char *const *from, size_t count) { return from[below(count)]; }

const char *shown(const void *bytes, size_t count) {
    static char texts[8][1024];
    static int next;
    char *text = texts[next++ % 8], *at = text;
    for (size_t byte = 0; byte < count && at < text + 1000; byte++) {
        unsigned char c = ((const unsigned char *)bytes)[byte];
        at += sprintf(at, c >= 32 && c < 127 ? "%c" : "\\x%02x", c);
    }
    *at = '\0';
    return text;
}

int main(void) {
    for (mode = ALL_CONCRETE; mode < MODES; mode++) {
        check();
    }
    return 0;
}

// These are no proof builds.
int plx_in_proof(void) { return 0; }

void plx_file_channel(int descriptor, const void *stream) {
    (void)descriptor;
    (void)stream;
}

void plx_unwritten(const void *start, size_t length) {
    (void)start;
    (void)length;
}

plx_label plx_unknown(void) { return 0; }
