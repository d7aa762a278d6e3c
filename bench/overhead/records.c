// A checksum and a reader of records over all of standard input, again and again: the program that
// tells what an extra pass costs with concrete input, and with symbolic input.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint32_t table[256];
static uint8_t input[4096];

static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t sum = byte;
        for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? 0x82F63B78u ^ sum >> 1 : sum >> 1;
        table[byte] = sum;
    }
}

static uint32_t checksum(const uint8_t *bytes, size_t length, uint32_t sum) {
    for (size_t i = 0; i < length; i++) sum = table[(sum ^ bytes[i]) & 255] ^ sum >> 8;
    return sum;
}

// Records are `key=number;`, with comments in brackets and text in quotes.
static unsigned read_records(const uint8_t *bytes, size_t length, unsigned seed) {
    enum { KEY, NUMBER, COMMENT, TEXT } state = KEY;
    unsigned key = seed, number = 0, total = 0, nesting = 0;
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = bytes[i];
        switch (state) {
        case KEY:
            if (byte == '=') state = NUMBER;
            else if (byte == '[') { state = COMMENT; nesting++; }
            else if (byte == '"') state = TEXT;
            else if (byte != ' ' && byte != '\n') key = key * 33 + byte;
            break;
        case NUMBER:
            if (byte >= '0' && byte <= '9') number = number * 10 + (byte - '0');
            else { total ^= key + number; number = 0; state = KEY; }
            break;
        case COMMENT:
            if (byte == ']') { nesting--; state = KEY; }
            break;
        case TEXT:
            if (byte == '"') state = KEY;
            else total += byte;
            break;
        }
    }
    return total + number + nesting;
}

int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 1;
    size_t length = 0;
    ssize_t got;
    while (length < sizeof input && (got = read(0, input + length, sizeof input - length)) > 0)
        length += got;
    fill_table();
    uint32_t sum = 0;
    unsigned total = 0;
    for (int pass = 0; pass < passes; pass++) {
        sum = checksum(input, length, sum);
        total += read_records(input, length, total);
    }
    if (sum == 0xfeedf00d) puts("rare");
    printf("%08x %u\n", sum, total);
    return 0;
}
