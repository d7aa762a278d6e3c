/* codec: encodes files as base64, base16 or run lengths, and decodes them again.
 *
 *   codec [-d] [-i] [-w COLUMNS] [-a] base64|base16|rle [FILE]...
 *
 *   -d  decodes       -i  ignores bytes outside the alphabet when decoding
 *   -w  breaks the output of base64 and base16 into lines (0: does not)
 *   -a  armour: a header line and a trailer line with a checksum around the data,
 *       for the codecs that write plain lines: base64 and base16
 *
 * Exit status: 0 good, 1 malformed data or no file, 2 wrong usage, 3 wrong checksum. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MALFORMED = 1, USAGE = 2, CHECKSUM = 3 };
enum { MAX_INPUT = 4096, MAX_OUTPUT = 3 * MAX_INPUT, MAX_RUN = 99 };

static unsigned char input[MAX_INPUT + 1];
static size_t input_size;
static unsigned char output[MAX_OUTPUT];
static size_t output_size;
static int overflow;
static int ignore_garbage, columns = 64, column;

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char header[] = "=====BEGIN ";
static const char trailer[] = "=====END ";

static int fail(int status, const char *what, size_t at)
{
    fprintf(stderr, "codec: byte %zu: %s\n", at, what);
    return status;
}

static void put(int c)
{
    if (output_size == MAX_OUTPUT)
        overflow = 1;
    else
        output[output_size++] = (unsigned char)c;
}

static void put_wrapped(int c)
{
    put(c);
    if (columns > 0 && ++column == columns) {
        put('\n');
        column = 0;
    }
}

static void end_wrapped(void)
{
    if (column > 0)
        put('\n');
}

static int encode64(void)
{
    for (size_t i = 0; i < input_size; i += 3) {
        size_t left = input_size - i;
        unsigned group = (unsigned)input[i] << 16;
        if (left > 1)
            group |= (unsigned)input[i + 1] << 8;
        if (left > 2)
            group |= input[i + 2];
        put_wrapped(alphabet[group >> 18]);
        put_wrapped(alphabet[group >> 12 & 63]);
        put_wrapped(left > 1 ? alphabet[group >> 6 & 63] : '=');
        put_wrapped(left > 2 ? alphabet[group & 63] : '=');
    }
    end_wrapped();
    return 0;
}

static int value64(int c)
{
    if (isupper(c))
        return c - 'A';
    if (islower(c))
        return c - 'a' + 26;
    if (isdigit(c))
        return c - '0' + 52;
    switch (c) {
    case '+':
    case '-':
        return 62;
    case '/':
    case '_':
        return 63;
    default:
        return -1;
    }
}

static int decode64(void)
{
    unsigned group = 0;
    int digits = 0, padding = 0;
    for (size_t i = 0; i < input_size; i++) {
        int c = input[i];
        if (isspace(c))
            continue;
        if (c == '=') {
            if (digits % 4 < 2 || ++padding > 4 - digits % 4)
                return fail(MALFORMED, "padding is misplaced", i);
            continue;
        }
        int value = value64(c);
        if (value < 0) {
            if (!ignore_garbage)
                return fail(MALFORMED, "not a base64 digit", i);
            continue;
        }
        if (padding > 0)
            return fail(MALFORMED, "data after the padding", i);
        group = group << 6 | (unsigned)value;
        if (++digits % 4 == 0) {
            put((int)(group >> 16 & 255));
            put((int)(group >> 8 & 255));
            put((int)(group & 255));
        }
    }
    if (padding > 0 && digits % 4 + padding != 4)
        return fail(MALFORMED, "padding is incomplete", input_size);
    switch (digits % 4) {
    case 1:
        return fail(MALFORMED, "a single digit is left over", input_size);
    case 2:
        if ((group & 15) != 0)
            return fail(MALFORMED, "unused bits are set", input_size);
        put((int)(group >> 4 & 255));
        break;
    case 3:
        if ((group & 3) != 0)
            return fail(MALFORMED, "unused bits are set", input_size);
        put((int)(group >> 10 & 255));
        put((int)(group >> 2 & 255));
        break;
    default:
        break;
    }
    return 0;
}

static int encode16(void)
{
    for (size_t i = 0; i < input_size; i++) {
        put_wrapped("0123456789ABCDEF"[input[i] >> 4]);
        put_wrapped("0123456789ABCDEF"[input[i] & 15]);
    }
    end_wrapped();
    return 0;
}

static int decode16(void)
{
    int high = -1;
    for (size_t i = 0; i < input_size; i++) {
        int c = input[i];
        if (isspace(c))
            continue;
        if (!isxdigit(c)) {
            if (!ignore_garbage)
                return fail(MALFORMED, "not a hex digit", i);
            continue;
        }
        int value = isdigit(c) ? c - '0' : toupper(c) - 'A' + 10;
        if (high < 0) {
            high = value;
        } else {
            put(high << 4 | value);
            high = -1;
        }
    }
    if (high >= 0)
        return fail(MALFORMED, "a single digit is left over", input_size);
    return 0;
}

/* Runs become COUNT and the byte; digits and '\' have a '\' before them. */
static int encode_rle(void)
{
    for (size_t i = 0; i < input_size;) {
        int c = input[i], run = 1;
        while (i + (size_t)run < input_size && input[i + (size_t)run] == c && run < MAX_RUN)
            run++;
        char text[8];
        int n = run > 1 ? snprintf(text, sizeof text, "%d", run) : 0;
        for (int k = 0; k < n; k++)
            put(text[k]);
        if (isdigit(c) || c == '\\')
            put('\\');
        put(c);
        i += (size_t)run;
    }
    return 0;
}

static int decode_rle(void)
{
    for (size_t i = 0; i < input_size; i++) {
        int run = 0, digits = 0;
        for (; i < input_size && isdigit(input[i]); i++, digits++) {
            run = run * 10 + input[i] - '0';
            if (run > MAX_RUN)
                return fail(MALFORMED, "run is too long", i);
        }
        if (digits > 0 && run < 2)
            return fail(MALFORMED, "run is too short", i);
        if (i < input_size && input[i] == '\\')
            i++;
        if (i == input_size)
            return fail(MALFORMED, "data is cut off", i);
        for (int k = 0; k < (digits > 0 ? run : 1); k++)
            put(input[i]);
    }
    return 0;
}

static const struct {
    const char *name;
    int (*encode)(void);
    int (*decode)(void);
    int writes_lines;
} codecs[] = {
    {"base64", encode64, decode64, 1},
    {"base16", encode16, decode16, 1},
    {"rle", encode_rle, decode_rle, 0},
};

/* Fletcher-16. */
static unsigned checksum(const unsigned char *data, size_t size)
{
    unsigned a = 0, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 255;
        b = (b + a) % 255;
    }
    return b << 8 | a;
}

/* Takes the armour off the input and notes the checksum that it announces. */
static int strip_armour(const char *name, unsigned *sum)
{
    char *text = (char *)input;
    size_t n = strlen(header);
    char *newline = strchr(text, '\n');
    if (newline == NULL || strncmp(text, header, n) != 0)
        return fail(MALFORMED, "no armour", 0);
    if (strncmp(text + n, name, strlen(name)) != 0 || text + n + strlen(name) != newline)
        return fail(MALFORMED, "armour of another codec", n);
    char *end = strstr(newline, trailer);
    if (end == NULL || sscanf(end + strlen(trailer), "%4x", sum) != 1)
        return fail(MALFORMED, "no trailer", input_size);
    input_size = (size_t)(end - newline) - 1;
    memmove(input, newline + 1, input_size);
    return 0;
}

/* Returns an exit status. */
static int process(FILE *file, size_t which, int decoding, int armour)
{
    const char *name = codecs[which].name;
    unsigned expected = 0;
    int status = 0;
    output_size = 0;
    column = 0;
    overflow = 0;
    input_size = fread(input, 1, MAX_INPUT, file);
    input[input_size] = '\0';
    if (decoding && armour)
        status = strip_armour(name, &expected);
    if (status == 0)
        status = decoding ? codecs[which].decode() : codecs[which].encode();
    if (status != 0)
        return status;
    if (overflow)
        return fail(MALFORMED, "output is too large", output_size);
    if (decoding && armour && expected != checksum(output, output_size))
        return fail(CHECKSUM, "wrong checksum", output_size);
    if (armour && !decoding)
        printf("%s%s\n", header, name);
    fwrite(output, 1, output_size, stdout);
    if (armour && !decoding) {
        if (output_size > 0 && output[output_size - 1] != '\n')
            putchar('\n');
        printf("%s%04x\n", trailer, checksum(input, input_size));
    }
    return 0;
}

static int usage(void)
{
    fputs("usage: codec [-d] [-i] [-w COLUMNS] [-a] base64|base16|rle [FILE]...\n", stderr);
    return USAGE;
}

int main(int argc, char **argv)
{
    int c, decoding = 0, armour = 0, worst = 0;
    size_t which = 0;
    while ((c = getopt(argc, argv, "adiw:")) != -1) {
        switch (c) {
        case 'a':
            armour = 1;
            break;
        case 'd':
            decoding = 1;
            break;
        case 'i':
            ignore_garbage = 1;
            break;
        case 'w':
            columns = atoi(optarg);
            if (columns < 0 || columns > 80)
                return usage();
            break;
        default:
            return usage();
        }
    }
    if (optind == argc || (ignore_garbage && !decoding))
        return usage();
    while (which < 3 && strcmp(codecs[which].name, argv[optind]) != 0)
        which++;
    if (which == 3 || (armour && !codecs[which].writes_lines))
        return usage();
    optind++;
    if (optind == argc)
        return process(stdin, which, decoding, armour);
    for (; optind < argc; optind++) {
        FILE *file = fopen(argv[optind], "r");
        if (file == NULL) {
            fprintf(stderr, "codec: cannot open %s\n", argv[optind]);
            worst |= MALFORMED;
            continue;
        }
        int status = process(file, which, decoding, armour);
        fclose(file);
        if (status > worst)
            worst = status;
    }
    return worst;
}
