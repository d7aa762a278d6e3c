/* translit: translates, squeezes or deletes the bytes of stdin.
 *
 *   translit [-c] [-d] [-s] [-t] SET1 [SET2]
 *
 * Sets have ranges (a-z), classes ([:alpha:]), repeats ([x*3], [x*]) and escapes (\n, \101).
 *
 * Exit status: 0 good, 1 malformed set, 2 wrong usage. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 256, MAX_SET = 1024 };

struct set {
    const char *text;
    unsigned char items[MAX_SET];
    size_t size;
    long fill_at;  /* where an open repeat stands, or -1 */
    int fill_byte; /* the byte that it repeats */
    int has_upper, has_lower, overflow;
};

static int errors;

static void complain(const char *what, const char *where)
{
    fprintf(stderr, "translit: %s at '%s'\n", what, where);
    errors++;
}

static void add(struct set *set, int c)
{
    if (set->size == MAX_SET)
        set->overflow = 1;
    else
        set->items[set->size++] = (unsigned char)c;
}

static const struct {
    const char *name;
    int (*test)(int);
} classes[] = {
    {"alpha", isalpha}, {"digit", isdigit},   {"alnum", isalnum}, {"space", isspace},
    {"upper", isupper}, {"lower", islower},   {"punct", ispunct}, {"xdigit", isxdigit},
    {"blank", isblank}, {"control", iscntrl},
};

/* One byte at *p, with its escape resolved. */
static int element(const char **p)
{
    int c = (unsigned char)*(*p)++;
    if (c != '\\' || **p == '\0')
        return c;
    if (**p >= '0' && **p <= '7') {
        int value = 0;
        for (int i = 0; i < 3 && **p >= '0' && **p <= '7'; i++)
            value = value * 8 + *(*p)++ - '0';
        if (value >= BYTES)
            complain("octal escape is too large", *p - 3);
        return value % BYTES;
    }
    c = (unsigned char)*(*p)++;
    switch (c) {
    case 'a':
        return '\a';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return c;
    }
}

static const char *add_class(struct set *set, const char *p)
{
    const char *end = strstr(p, ":]");
    if (end == NULL) {
        complain("class is not closed", p);
        return p + strlen(p);
    }
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strlen(classes[i].name) != (size_t)(end - p) ||
            strncmp(classes[i].name, p, (size_t)(end - p)) != 0)
            continue;
        if (classes[i].test == isupper)
            set->has_upper = 1;
        if (classes[i].test == islower)
            set->has_lower = 1;
        for (int c = 0; c < BYTES; c++)
            if (classes[i].test(c))
                add(set, c);
        return end + 2;
    }
    complain("unknown class", p);
    return end + 2;
}

/* [x*N] or [x*]; NULL if it is neither. N is octal with a leading 0. */
static const char *add_repeat(struct set *set, const char *p)
{
    if (*p == '\0')
        return NULL;
    int c = element(&p);
    if (*p != '*')
        return NULL;
    char *end;
    long n = strtol(p + 1, &end, p[1] == '0' ? 8 : 10);
    if (*end != ']')
        return NULL;
    if (n < 0 || n > MAX_SET) {
        complain("bad repeat count", p);
        return end + 1;
    }
    if (n == 0) {
        if (set->fill_at >= 0)
            complain("second open repeat", p);
        set->fill_at = (long)set->size;
        set->fill_byte = c;
    }
    while (n-- > 0)
        add(set, c);
    return end + 1;
}

static void parse(struct set *set, const char *text)
{
    const char *p = text;
    set->text = text;
    set->fill_at = -1;
    while (*p != '\0') {
        if (p[0] == '[' && p[1] == ':') {
            p = add_class(set, p + 2);
            continue;
        }
        if (p[0] == '[') {
            const char *after = add_repeat(set, p + 1);
            if (after != NULL) {
                p = after;
                continue;
            }
        }
        const char *start = p;
        int low = element(&p);
        if (*p != '-' || p[1] == '\0') {
            add(set, low);
            continue;
        }
        p++;
        int high = element(&p);
        if (high < low)
            complain("range runs backwards", start);
        for (; low <= high; low++)
            add(set, low);
    }
    if (set->overflow)
        complain("set is too long", text);
}

static void complement(struct set *set)
{
    unsigned char member[BYTES] = {0};
    for (size_t i = 0; i < set->size; i++)
        member[set->items[i]] = 1;
    set->size = 0;
    for (int c = 0; c < BYTES; c++)
        if (!member[c])
            add(set, c);
}

/* Makes SET2 as long as SET1: an open repeat takes up the slack, or else the last byte. */
static void extend(struct set *set, size_t size)
{
    if (set->fill_at >= 0) {
        while (set->size < size) {
            memmove(set->items + set->fill_at + 1, set->items + set->fill_at,
                    set->size - (size_t)set->fill_at);
            set->items[set->fill_at] = (unsigned char)set->fill_byte;
            set->size++;
        }
        return;
    }
    while (set->size < size)
        add(set, set->items[set->size - 1]);
}

static int usage(void)
{
    fputs("usage: translit [-c] [-d] [-s] [-t] SET1 [SET2]\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static struct set from, to;
    unsigned char map[BYTES], in_from[BYTES] = {0}, squeeze[BYTES] = {0};
    int complemented = 0, deleting = 0, squeezing = 0, truncating = 0, c;

    while ((c = getopt(argc, argv, "cdst")) != -1) {
        switch (c) {
        case 'c':
            complemented = 1;
            break;
        case 'd':
            deleting = 1;
            break;
        case 's':
            squeezing = 1;
            break;
        case 't':
            truncating = 1;
            break;
        default:
            return usage();
        }
    }
    int sets = argc - optind;
    if (sets < 1 || sets > 2)
        return usage();
    /* Two sets translate; one set deletes or squeezes; two sets with -d need -s. */
    if (sets == 1 ? !deleting && !squeezing : deleting && !squeezing)
        return usage();
    parse(&from, argv[optind]);
    if (from.fill_at >= 0)
        complain("open repeat in SET1", argv[optind]);
    if (complemented)
        complement(&from);
    for (int i = 0; i < BYTES; i++)
        map[i] = (unsigned char)i;
    for (size_t i = 0; i < from.size; i++)
        in_from[from.items[i]] = 1;
    if (sets == 2) {
        parse(&to, argv[optind + 1]);
        if (to.size == 0 && to.fill_at < 0)
            complain("SET2 is empty", to.text);
        if (from.has_lower && to.has_upper && from.size != to.size)
            complain("misaligned classes", to.text);
        if (!deleting && errors == 0) {
            if (truncating && to.size < from.size)
                from.size = to.size;
            extend(&to, from.size);
            for (size_t i = 0; i < from.size; i++)
                map[from.items[i]] = to.items[i];
        }
    }
    if (errors > 0)
        return 1;
    const struct set *squeezed = sets == 2 ? &to : &from;
    for (size_t i = 0; squeezing && i < squeezed->size; i++)
        squeeze[squeezed->items[i]] = 1;

    int previous = -1;
    while ((c = getchar()) != EOF) {
        if (deleting && in_from[c])
            continue;
        int out = sets == 2 && !deleting ? map[c] : c;
        if (out == previous && squeeze[out])
            continue;
        putchar(out);
        previous = out;
    }
    return 0;
}
