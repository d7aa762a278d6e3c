/* fields: cuts fields out of lines, sorts the lines and looks keys up.
 *
 *   fields [-t CHAR] [-f LIST] [-k FIELD] [-n] [-r] [-u] [-l KEY] [FILE]...
 *
 *   -f  fields to print, such as 1,3-4,6-       -k  field to sort by (0: the whole line)
 *   -n  numbers    -r  descending    -u  one line of each key    -l  only lines with this key
 *
 * Exit status: 0 good, 1 the key was not found, 2 wrong usage, 3 a file cannot be read. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOT_FOUND = 1, USAGE = 2, UNREADABLE = 3 };
enum { MAX_LINES = 64, MAX_TEXT = 2048, MAX_RANGES = 4, MAX_FIELD = 99 };

struct line {
    char *text;
    const char *key;
    size_t key_length;
    long number;
    int order; /* as read, for a stable sort */
};

struct range {
    int first, last;
};

static char text[MAX_TEXT];
static size_t text_used;
static struct line lines[MAX_LINES];
static int line_count;

static struct range ranges[MAX_RANGES];
static int range_count;

static char separator; /* 0: blanks */
static int sort_field = -1, numeric, reverse, unique;

static int parse_field(const char **p)
{
    int n = 0;
    if (!isdigit((unsigned char)**p))
        return -1;
    while (isdigit((unsigned char)**p) && n <= MAX_FIELD)
        n = n * 10 + *(*p)++ - '0';
    return n > MAX_FIELD ? -1 : n;
}

/* 0 if the list is malformed. Ranges must rise and not overlap. */
static int parse_list(const char *p)
{
    int previous = 0;
    for (;; p++) {
        struct range range = {1, MAX_FIELD};
        if (range_count == MAX_RANGES)
            return 0;
        if (*p == '-' && p[1] != '\0') {
            p++;
            range.last = parse_field(&p);
        } else {
            range.first = parse_field(&p);
            range.last = range.first;
            if (*p == '-') {
                p++;
                range.last = isdigit((unsigned char)*p) ? parse_field(&p) : MAX_FIELD;
            }
        }
        if (range.first <= previous || range.last < range.first)
            return 0;
        previous = range.last;
        ranges[range_count++] = range;
        if (*p == '\0')
            return 1;
        if (*p != ',')
            return 0;
    }
}

static int is_separator(char c)
{
    return separator != '\0' ? c == separator : c == ' ' || c == '\t';
}

/* Field `n` of a line, counted from 1; empty if there are fewer. */
static const char *find_field(const char *p, int n, size_t *length)
{
    for (;; n--) {
        if (separator == '\0')
            while (is_separator(*p))
                p++;
        *length = 0;
        while (p[*length] != '\0' && !is_separator(p[*length]))
            ++*length;
        if (n == 1)
            return p;
        p += *length;
        if (*p == '\0') {
            *length = 0;
            return NULL;
        }
        p++;
    }
}

static void set_key(struct line *line)
{
    line->key = line->text;
    line->key_length = strlen(line->text);
    if (sort_field > 0)
        line->key = find_field(line->text, sort_field, &line->key_length);
    line->number = line->key != NULL ? strtol(line->key, NULL, 10) : 0;
}

static int compare_keys(const struct line *a, const struct line *b)
{
    if (numeric)
        return (a->number > b->number) - (a->number < b->number);
    size_t n = a->key_length < b->key_length ? a->key_length : b->key_length;
    int order = n > 0 ? memcmp(a->key, b->key, n) : 0;
    if (order != 0)
        return order;
    return (a->key_length > b->key_length) - (a->key_length < b->key_length);
}

static int compare(const void *x, const void *y)
{
    const struct line *a = x, *b = y;
    int order = compare_keys(a, b);
    if (order == 0)
        return a->order - b->order;
    return reverse ? -order : order;
}

/* For bsearch, which needs no particular one of several lines with the key. */
static int compare_lookup(const void *x, const void *y)
{
    int order = compare_keys(x, y);
    return reverse ? -order : order;
}

static int read_lines(FILE *file)
{
    while (line_count < MAX_LINES && text_used + 2 < MAX_TEXT) {
        char *at = text + text_used;
        if (fgets(at, (int)(MAX_TEXT - text_used), file) == NULL)
            return 1;
        size_t n = strcspn(at, "\n");
        at[n] = '\0';
        text_used += n + 1;
        struct line *line = &lines[line_count];
        line->text = at;
        line->order = line_count++;
        set_key(line);
    }
    return 0;
}

static void print_line(const struct line *line)
{
    int printed = 0;
    if (range_count == 0) {
        puts(line->text);
        return;
    }
    for (int i = 0; i < range_count; i++) {
        for (int n = ranges[i].first; n <= ranges[i].last; n++) {
            size_t length;
            const char *field = find_field(line->text, n, &length);
            if (field == NULL)
                break;
            if (printed++ > 0)
                putchar(separator != '\0' ? separator : ' ');
            fwrite(field, 1, length, stdout);
        }
    }
    putchar('\n');
}

static int look_up(char *key)
{
    struct line wanted = {.text = key, .key = key, .key_length = strlen(key)};
    wanted.number = strtol(key, NULL, 10);
    const struct line *found = bsearch(&wanted, lines, (size_t)line_count, sizeof *lines,
                                       compare_lookup);
    if (found == NULL) {
        fprintf(stderr, "fields: no line with key '%s'\n", key);
        return NOT_FOUND;
    }
    while (found > lines && compare_keys(found - 1, &wanted) == 0)
        found--;
    for (; found < lines + line_count && compare_keys(found, &wanted) == 0; found++) {
        print_line(found);
        if (unique)
            break;
    }
    return 0;
}

static int usage(const char *what)
{
    fprintf(stderr, "fields: %s\n", what);
    fputs("usage: fields [-t CHAR] [-f LIST] [-k FIELD] [-n] [-r] [-u] [-l KEY] [FILE]...\n",
          stderr);
    return USAGE;
}

int main(int argc, char **argv)
{
    char *key = NULL;
    int c, complete = 1;
    while ((c = getopt(argc, argv, "t:f:k:nrul:")) != -1) {
        switch (c) {
        case 't':
            if (strlen(optarg) != 1)
                return usage("the separator is one character");
            separator = *optarg;
            break;
        case 'f':
            if (!parse_list(optarg))
                return usage("bad list of fields");
            break;
        case 'k':
            sort_field = atoi(optarg);
            if (sort_field < 0 || sort_field > MAX_FIELD)
                return usage("bad field");
            break;
        case 'n':
            numeric = 1;
            break;
        case 'r':
            reverse = 1;
            break;
        case 'u':
            unique = 1;
            break;
        case 'l':
            key = optarg;
            break;
        default:
            return usage("unknown option");
        }
    }
    int sorting = sort_field >= 0;
    if (!sorting && numeric + reverse + unique + (key != NULL) > 0)
        return usage("these options need -k");
    if (optind == argc)
        complete = read_lines(stdin);
    for (; optind < argc; optind++) {
        FILE *file = fopen(argv[optind], "r");
        if (file == NULL) {
            fprintf(stderr, "fields: cannot open %s\n", argv[optind]);
            return UNREADABLE;
        }
        complete &= read_lines(file);
        fclose(file);
    }
    if (!complete)
        fputs("fields: the rest of the input is ignored\n", stderr);
    if (sorting)
        qsort(lines, (size_t)line_count, sizeof *lines, compare);
    if (key != NULL)
        return look_up(key);
    for (int i = 0; i < line_count; i++)
        if (!unique || i == 0 || compare_keys(&lines[i - 1], &lines[i]) != 0)
            print_line(&lines[i]);
    return 0;
}
