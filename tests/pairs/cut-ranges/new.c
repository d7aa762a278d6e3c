#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

#define MAXRANGE 32
#define MAXLINE 1024

struct range {
    int lo;
    int hi;
};

static struct range ranges[MAXRANGE];
static int nranges;
static char delim = '\t';
static const char *outsep = ",";
static int only_delimited;

static void die(const char *msg, const char *what)
{
    fprintf(stderr, "pick: %s: %s\n", msg, what);
    exit(1);
}

static void add_range(int lo, int hi, const char *spec)
{
    if (lo == 0)
        die("fields are numbered from 1", spec);
    if (hi < lo)
        die("invalid decreasing range", spec);
    if (nranges == MAXRANGE)
        die("too many ranges", spec);
    ranges[nranges].lo = lo;
    ranges[nranges].hi = hi;
    nranges++;
}

static void parse_list(const char *spec)
{
    const char *s = spec;

    for (;;) {
        int lo = 0, hi = 0, have_lo = 0, have_hi = 0, dash = 0;

        while (isdigit((unsigned char)*s)) {
            lo = lo * 10 + (*s++ - '0');
            have_lo = 1;
            if (lo > 9999)
                die("number too large", spec);
        }
        if (*s == '-') {
            dash = 1;
            s++;
            while (isdigit((unsigned char)*s)) {
                hi = hi * 10 + (*s++ - '0');
                have_hi = 1;
                if (hi > 9999)
                    die("number too large", spec);
            }
        }
        if (!have_lo && !have_hi)
            die("no number in range", spec);
        if (!dash)
            hi = lo;
        else if (!have_hi)
            hi = 10000;
        if (!have_lo)
            lo = 1;
        add_range(lo, hi, spec);
        if (*s == '\0')
            return;
        if (*s != ',')
            die("invalid field list", spec);
        s++;
    }
}

static int by_lo(const void *a, const void *b)
{
    const struct range *x = a, *y = b;

    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    return x->hi - y->hi;
}

/* Ranges that overlap become one.  Ranges that only touch stay apart: the
   separator goes between them. */
static void merge_ranges(void)
{
    int i, j = 0;

    if (nranges == 0)
        return;
    qsort(ranges, nranges, sizeof ranges[0], by_lo);
    for (i = 1; i < nranges; i++) {
        if (ranges[i].lo <= ranges[j].hi + 1) {
            if (ranges[i].hi > ranges[j].hi)
                ranges[j].hi = ranges[i].hi;
        } else {
            j++;
            ranges[j] = ranges[i];
        }
    }
    nranges = j + 1;
}

static void cut_line(char *line)
{
    int field = 1, r = 0, printed = 0;
    char *s = line, *e;

    if (strchr(line, delim) == NULL) {
        if (!only_delimited)
            printf("%s\n", line);
        return;
    }
    while (r < nranges) {
        e = strchr(s, delim);
        if (e != NULL)
            *e = '\0';
        if (field >= ranges[r].lo) {
            if (printed) {
                if (field == ranges[r].lo)
                    fputs(outsep, stdout);
                else
                    putchar(delim);
            }
            fputs(s, stdout);
            printed = 1;
        }
        if (field == ranges[r].hi)
            r++;
        if (e == NULL)
            break;
        s = e + 1;
        field++;
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    char line[MAXLINE];
    int i;

    for (i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-f", 2) == 0) {
            if (argv[i][2] != '\0')
                parse_list(argv[i] + 2);
            else if (i + 1 < argc)
                parse_list(argv[++i]);
            else
                die("option needs a list", argv[i]);
        } else if (strncmp(argv[i], "-d", 2) == 0 && argv[i][2] != '\0') {
            delim = argv[i][2];
        } else if (strcmp(argv[i], "-s") == 0) {
            only_delimited = 1;
        } else {
            die("unknown option", argv[i]);
        }
    }
    if (nranges == 0)
        die("you must give a list", "-f");
    merge_ranges();
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        cut_line(line);
    }
    return 0;
}
