/* jsonck: validates JSON on stdin and can require the shape of a manifest.
 *
 *   jsonck [-q] [-l] [-m] [-d DEPTH]
 *
 *   -l  each line is a document       -m  each document must be a manifest: an object with
 *   -q  prints no counts                  "name" (string), "version" (integer from 1) and
 *                                         perhaps "dependencies" (at most 4 strings)
 *
 * Exit status: 0 valid, 1 not JSON, 2 wrong usage, 3 not a manifest. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_INPUT = 4096, MAX_TEXT = 64 };
enum { INVALID = 1, USAGE = 2, NOT_MANIFEST = 3 };
enum type { TYPE_NULL, TYPE_BOOLEAN, TYPE_NUMBER, TYPE_STRING, TYPE_ARRAY, TYPE_OBJECT, TYPES };

static const char *const type_names[TYPES] = {"null",   "boolean", "number",
                                              "string", "array",   "object"};

static char buffer[MAX_INPUT + 1];
static const char *p;
static int max_depth = 6, manifest, status, counts[TYPES];
static const char *reason;

/* The last string (cut off) and the last number, for the manifest. */
static char text[MAX_TEXT];
static size_t text_length;
static int number_is_integer;
static long number_value;

static struct {
    int name, version, dependencies;
} seen;

/* All parsing functions return whether all is well, this one never. */
static int fail(int code, const char *what)
{
    reason = what;
    if (code > status)
        status = code;
    return 0;
}

static void blanks(void)
{
    p += strspn(p, " \t\r\n");
}

static int hex4(int *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++, p++) {
        if (*p >= '0' && *p <= '9')
            *value = *value * 16 + *p - '0';
        else if (*p >= 'a' && *p <= 'f')
            *value = *value * 16 + *p - 'a' + 10;
        else if (*p >= 'A' && *p <= 'F')
            *value = *value * 16 + *p - 'A' + 10;
        else
            return fail(INVALID, "four hex digits expected");
    }
    return 1;
}

static int escape(void)
{
    int high, low;
    if (*p != 'u') {
        if (*p == '\0' || strchr("\"\\/bfnrt", *p) == NULL)
            return fail(INVALID, "unknown escape");
        p++;
        return 1;
    }
    p++;
    if (!hex4(&high))
        return 0;
    if (high >= 0xdc00 && high <= 0xdfff)
        return fail(INVALID, "low surrogate comes first");
    if (high >= 0xd800 && high < 0xdc00) {
        if (p[0] != '\\' || p[1] != 'u')
            return fail(INVALID, "low surrogate is missing");
        p += 2;
        if (!hex4(&low))
            return 0;
        if (low < 0xdc00 || low > 0xdfff)
            return fail(INVALID, "low surrogate expected");
    }
    return 1;
}

/* The bytes after the first one of a UTF-8 sequence. */
static int utf8(unsigned char lead)
{
    int more;
    if (lead >= 0xc2 && lead <= 0xdf)
        more = 1;
    else if (lead >= 0xe0 && lead <= 0xef)
        more = 2;
    else if (lead >= 0xf0 && lead <= 0xf4)
        more = 3;
    else
        return fail(INVALID, "not UTF-8");
    if (lead == 0xe0 && (unsigned char)*p < 0xa0)
        return fail(INVALID, "overlong UTF-8");
    for (; more > 0; more--)
        if (((unsigned char)*p++ & 0xc0) != 0x80)
            return fail(INVALID, "UTF-8 is cut off");
    return 1;
}

static int string(void)
{
    text_length = 0;
    for (p++; *p != '"';) {
        unsigned char c = (unsigned char)*p++;
        if (c < 0x20)
            return fail(INVALID,
                        c == 0 ? "string is not closed" : "control character in a string");
        if (c == '\\' && !escape())
            return 0;
        if (c >= 0x80 && !utf8(c))
            return 0;
        if (text_length < MAX_TEXT - 1)
            text[text_length++] = (char)c;
    }
    text[text_length] = '\0';
    p++;
    return 1;
}

static int digits(void)
{
    size_t n = strspn(p, "0123456789");
    p += n;
    return n > 0;
}

static int number(void)
{
    number_is_integer = 1;
    number_value = strtol(p, NULL, 10);
    if (*p == '-')
        p++;
    if (*p == '0')
        p++;
    else if (!digits())
        return fail(INVALID, "value expected");
    if (*p == '.') {
        p++;
        number_is_integer = 0;
        if (!digits())
            return fail(INVALID, "digits expected after the point");
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        number_is_integer = 0;
        if (*p == '+' || *p == '-')
            p++;
        if (!digits())
            return fail(INVALID, "digits expected in the exponent");
    }
    return 1;
}

static int value(int depth, enum type *type);

static int check_member(const char *key, enum type type)
{
    int *flag;
    if (strcmp(key, "name") == 0) {
        flag = &seen.name;
        if (type != TYPE_STRING || text_length == 0)
            return fail(NOT_MANIFEST, "name must be a string");
    } else if (strcmp(key, "version") == 0) {
        flag = &seen.version;
        if (type != TYPE_NUMBER || !number_is_integer || number_value < 1)
            return fail(NOT_MANIFEST, "version must be an integer from 1");
    } else if (strcmp(key, "dependencies") == 0) {
        flag = &seen.dependencies;
        if (type != TYPE_ARRAY)
            return fail(NOT_MANIFEST, "dependencies must be an array");
    } else {
        return fail(NOT_MANIFEST, "unknown member");
    }
    if ((*flag)++ > 0)
        return fail(NOT_MANIFEST, "member occurs twice");
    return 1;
}

static int array(int depth)
{
    int elements = 0;
    enum type type;
    p++;
    blanks();
    if (*p == ']') {
        p++;
        return 1;
    }
    for (;; p++) {
        if (!value(depth + 1, &type))
            return 0;
        elements++;
        if (manifest && (type != TYPE_STRING || elements > 4))
            return fail(NOT_MANIFEST, "at most 4 strings expected");
        blanks();
        if (*p == ']')
            break;
        if (*p != ',')
            return fail(INVALID, "',' or ']' expected");
    }
    p++;
    return 1;
}

static int object(int depth)
{
    char key[MAX_TEXT];
    enum type type;
    p++;
    blanks();
    if (*p == '}') {
        p++;
        return 1;
    }
    for (;; p++) {
        blanks();
        if (*p != '"')
            return fail(INVALID, "member name expected");
        if (!string())
            return 0;
        strcpy(key, text);
        blanks();
        if (*p != ':')
            return fail(INVALID, "':' expected");
        p++;
        if (!value(depth + 1, &type))
            return 0;
        if (manifest && depth == 0 && !check_member(key, type))
            return 0;
        blanks();
        if (*p == '}')
            break;
        if (*p != ',')
            return fail(INVALID, "',' or '}' expected");
    }
    p++;
    return 1;
}

static int literal(const char *word)
{
    size_t n = strlen(word);
    if (strncmp(p, word, n) != 0)
        return fail(INVALID, "unknown word");
    p += n;
    return 1;
}

static int value(int depth, enum type *type)
{
    int good;
    if (depth > max_depth)
        return fail(INVALID, "nested too deeply");
    blanks();
    switch (*p) {
    case '{':
        good = object(depth);
        *type = TYPE_OBJECT;
        break;
    case '[':
        good = array(depth);
        *type = TYPE_ARRAY;
        break;
    case '"':
        good = string();
        *type = TYPE_STRING;
        break;
    case 't':
    case 'f':
        good = literal(*p == 't' ? "true" : "false");
        *type = TYPE_BOOLEAN;
        break;
    case 'n':
        good = literal("null");
        *type = TYPE_NULL;
        break;
    default:
        good = number();
        *type = TYPE_NUMBER;
    }
    counts[*type]++;
    return good;
}

static int document(void)
{
    enum type type;
    memset(&seen, 0, sizeof seen);
    if (!value(0, &type))
        return 0;
    blanks();
    if (*p != '\0')
        return fail(INVALID, "text after the value");
    if (manifest && (type != TYPE_OBJECT || !seen.name || !seen.version))
        return fail(NOT_MANIFEST, "an object with name and version is expected");
    return 1;
}

int main(int argc, char **argv)
{
    int quiet = 0, by_line = 0, line = 1, c;
    while ((c = getopt(argc, argv, "qlmd:")) != -1) {
        if (c == 'q') {
            quiet = 1;
        } else if (c == 'l') {
            by_line = 1;
        } else if (c == 'm') {
            manifest = 1;
        } else if (c != 'd' || (max_depth = atoi(optarg)) < 1) {
            fputs("usage: jsonck [-q] [-l] [-m] [-d DEPTH] < FILE\n", stderr);
            return USAGE;
        }
    }
    buffer[fread(buffer, 1, MAX_INPUT, stdin)] = '\0';
    char *start = buffer, *end = NULL;
    do {
        end = by_line ? strchr(start, '\n') : NULL;
        if (end != NULL)
            *end = '\0';
        p = start;
        if (!document())
            printf("document %d, offset %d: %s\n", line, (int)(p - start), reason);
        line++;
        if (end != NULL)
            start = end + 1;
    } while (end != NULL && *start != '\0');
    for (int i = 0; i < TYPES && !quiet; i++)
        if (counts[i] > 0)
            printf("%s %d\n", type_names[i], counts[i]);
    return status;
}
