/* tlv: lists a container of tagged values on stdin.
 *
 *   header   "TLV1", version (1 byte), flags (1 byte), number of entries (2 bytes, big endian)
 *   entry    tag (1 byte), length (1 byte, or 0xff and 2 bytes big endian), value
 *   trailer  tag 0xfe, length 4, Adler-32 of all bytes before the trailer, if flag 1 is set
 *
 * Exit status: 0 good, 1 malformed, 2 wrong usage, 3 wrong checksum, 4 not a container. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_INPUT = 4096, MAX_DEPTH = 3, HEADER = 8, TRAILER = 6 };
enum { FLAG_CHECKSUM = 1, FLAG_NESTED = 2, KNOWN_FLAGS = 3 };
enum { MALFORMED = 1, USAGE = 2, CHECKSUM = 3, NOT_TLV = 4 };
enum tag {
    TAG_PADDING = 0,
    TAG_NAME = 1,
    TAG_NUMBER = 2,
    TAG_POINT = 3,
    TAG_LIST = 4,
    TAG_DATE = 5,
    TAG_BITS = 6,
    TAG_GROUP = 0x20,
    TAG_TRAILER = 0xfe,
};

struct reader {
    const uint8_t *data;
    size_t size, at;
    int depth;
};

static uint8_t input[MAX_INPUT];
static unsigned flags;
static int verbose, names, groups, bad_values;

static const char *problem(const char *what, size_t at)
{
    fprintf(stderr, "tlv: offset %zu: %s\n", at, what);
    return what;
}

static uint32_t big_endian(const uint8_t *p, size_t bytes)
{
    uint32_t value = 0;
    while (bytes-- > 0)
        value = value << 8 | *p++;
    return value;
}

static uint32_t adler32(const uint8_t *p, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + p[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void indent(int depth)
{
    printf("%*s", depth * 2, "");
}

static const char *entries(struct reader *r, unsigned limit);

static const char *show_name(const uint8_t *value, size_t size)
{
    if (size == 0)
        return "empty name";
    if (!isalpha(value[0]))
        return "name must start with a letter";
    for (size_t i = 0; i < size; i++)
        if (!isprint(value[i]))
            return "name is not printable";
    printf("name '%.*s'\n", (int)size, (const char *)value);
    if (size == 11 && memcmp(value, "placeholder", 11) == 0)
        puts("(to be filled in)");
    names++;
    return NULL;
}

static const char *show_number(const uint8_t *value, size_t size)
{
    if (size != 1 && size != 2 && size != 4)
        return "number must have 1, 2 or 4 bytes";
    uint32_t n = big_endian(value, size);
    if (size > 1 && n < 1u << (size == 2 ? 8 : 16))
        return "number is not in its shortest form";
    printf("number %u\n", n);
    return NULL;
}

static const char *show_point(const uint8_t *value, size_t size)
{
    if (size != 4)
        return "point must have 4 bytes";
    int x = (int16_t)big_endian(value, 2), y = (int16_t)big_endian(value + 2, 2);
    const char *where = "on an axis";
    if (x != 0 && y != 0)
        where = x > 0 ? (y > 0 ? "upper right" : "lower right")
                      : (y > 0 ? "upper left" : "lower left");
    printf("point %d,%d %s\n", x, y, where);
    return NULL;
}

/* Numbers of one byte, which must rise. */
static const char *show_list(const uint8_t *value, size_t size)
{
    fputs("list", stdout);
    for (size_t i = 0; i < size; i++) {
        if (i > 0 && value[i] <= value[i - 1]) {
            putchar('\n');
            return "list does not rise";
        }
        printf(" %u", value[i]);
    }
    putchar('\n');
    return NULL;
}

static const char *show_date(const uint8_t *value, size_t size)
{
    static const uint8_t days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (size != 4)
        return "date must have 4 bytes";
    unsigned year = big_endian(value, 2), month = value[2], day = value[3];
    if (month < 1 || month > 12 || day < 1 || day > days[month - 1])
        return "no such date";
    if (month == 2 && day == 29 && year % 4 != 0)
        return "not a leap year";
    printf("date %04u-%02u-%02u\n", year, month, day);
    return NULL;
}

/* The first byte says how many bits of the last one are unused. */
static const char *show_bits(const uint8_t *value, size_t size)
{
    if (size < 2 || value[0] > 7)
        return "bad bit string";
    if ((value[size - 1] & ((1u << value[0]) - 1)) != 0)
        return "unused bits are set";
    fputs("bits ", stdout);
    for (size_t bit = 0; bit < (size - 1) * 8 - value[0]; bit++)
        putchar(value[1 + bit / 8] >> (7 - bit % 8) & 1 ? '1' : '0');
    putchar('\n');
    return NULL;
}

static const char *show_group(const struct reader *r, const uint8_t *value, size_t size,
                              size_t start)
{
    struct reader inner = {.data = value, .size = size, .at = 0, .depth = r->depth + 1};
    if (!(flags & FLAG_NESTED))
        return problem("group without the nested flag", start);
    if (inner.depth > MAX_DEPTH)
        return problem("groups are too deep", start);
    puts("group");
    groups++;
    return entries(&inner, UINT32_MAX);
}

static const char *entry(struct reader *r)
{
    size_t start = r->at;
    const char *wrong = NULL;
    uint8_t tag = r->data[r->at++];
    if (tag == TAG_PADDING)
        return NULL;
    if (r->at == r->size)
        return problem("length is missing", start);
    size_t size = r->data[r->at++];
    if (size == 0xff) {
        if (r->size - r->at < 2)
            return problem("long length is cut off", start);
        size = big_endian(r->data + r->at, 2);
        r->at += 2;
        if (size < 0xff)
            return problem("long length is not needed", start);
    }
    if (size > r->size - r->at)
        return problem("value is cut off", start);
    const uint8_t *value = r->data + r->at;
    r->at += size;
    indent(r->depth);
    if (verbose)
        printf("%02x+%zu ", tag, size);
    switch (tag) {
    case TAG_NAME:
        wrong = show_name(value, size);
        break;
    case TAG_NUMBER:
        wrong = show_number(value, size);
        break;
    case TAG_POINT:
        wrong = show_point(value, size);
        break;
    case TAG_LIST:
        wrong = show_list(value, size);
        break;
    case TAG_DATE:
        wrong = show_date(value, size);
        break;
    case TAG_BITS:
        wrong = show_bits(value, size);
        break;
    case TAG_GROUP:
        return show_group(r, value, size, start);
    case TAG_TRAILER:
        wrong = "trailer in the middle";
        break;
    default:
        if (tag & 0x80)
            wrong = "unknown critical tag";
        else
            printf("unknown tag %u, %zu bytes\n", tag, size);
    }
    /* A bad value does not hide the entries after it. */
    if (wrong != NULL) {
        problem(wrong, start);
        bad_values++;
    }
    return NULL;
}

/* All entries up to the end; there must be `limit` of them unless it is UINT32_MAX. */
static const char *entries(struct reader *r, unsigned limit)
{
    unsigned count = 0;
    while (r->at < r->size) {
        int padding = r->data[r->at] == TAG_PADDING;
        if (!padding && count++ == limit)
            return problem("more entries than announced", r->at);
        const char *wrong = entry(r);
        if (wrong != NULL)
            return wrong;
    }
    if (limit != UINT32_MAX && count < limit)
        return problem("fewer entries than announced", r->at);
    return NULL;
}

int main(int argc, char **argv)
{
    verbose = argc == 2 && strcmp(argv[1], "-v") == 0;
    if (argc > 1 && !verbose) {
        fputs("usage: tlv [-v] < FILE\n", stderr);
        return USAGE;
    }
    size_t size = fread(input, 1, sizeof input, stdin);
    if (size < HEADER || memcmp(input, "TLV1", 4) != 0) {
        fputs("tlv: this is not a container\n", stderr);
        return NOT_TLV;
    }
    if (input[4] < 1 || input[4] > 2) {
        fprintf(stderr, "tlv: version %u is not supported\n", input[4]);
        return NOT_TLV;
    }
    flags = input[5];
    if ((flags & ~(unsigned)KNOWN_FLAGS) != 0 || (input[4] == 1 && (flags & FLAG_NESTED))) {
        fputs("tlv: flags and version do not fit\n", stderr);
        return NOT_TLV;
    }
    if (flags & FLAG_CHECKSUM) {
        if (size < HEADER + TRAILER || input[size - 6] != TAG_TRAILER || input[size - 5] != 4) {
            fputs("tlv: no trailer\n", stderr);
            return CHECKSUM;
        }
        size -= TRAILER;
        if (big_endian(input + size + 2, 4) != adler32(input, size)) {
            fputs("tlv: wrong checksum\n", stderr);
            return CHECKSUM;
        }
        puts("checksum is good");
    }
    struct reader r = {.data = input, .size = size, .at = HEADER, .depth = 0};
    if (entries(&r, big_endian(input + 6, 2)) != NULL)
        return MALFORMED;
    if (bad_values > 0) {
        printf("%d bad value%s\n", bad_values, bad_values == 1 ? "" : "s");
        return MALFORMED;
    }
    if (names > 0 && groups >= names)
        puts("more groups than names");
    return 0;
}
