#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXPAT 128
#define MAXLINE 512

enum kind { P_CHAR, P_ANY, P_BOL, P_EOL, P_CLASS, P_NCLASS };

struct item {
    enum kind kind;
    unsigned char c;
    int star;
    unsigned char set[32];
};

static struct item pat[MAXPAT];
static int npat;

static void set_add(unsigned char *set, int c)
{
    set[c >> 3] |= 1 << (c & 7);
}

static int set_has(const unsigned char *set, int c)
{
    return (set[c >> 3] >> (c & 7)) & 1;
}

/* Reads a class; s points behind the opening bracket.  Returns the place
   behind the closing one, or NULL. */
static const char *read_class(const char *s, struct item *it)
{
    int first = 1;

    it->kind = P_CLASS;
    memset(it->set, 0, sizeof it->set);
    if (*s == '^') {
        it->kind = P_NCLASS;
        s++;
    }
    while (*s != '\0') {
        int c = (unsigned char)*s;

        if (c == ']' && !first)
            return s + 1;
        first = 0;
        if (c == '@' && s[1] != '\0') {
            s++;
            c = *s == 't' ? '\t' : (unsigned char)*s;
        }
        if (s[1] == '-' && s[2] != ']' && s[2] != '\0') {
            int hi = (unsigned char)s[2];

            for (; c <= hi; c++)
                set_add(it->set, c);
            s += 3;
        } else {
            set_add(it->set, c);
            s++;
        }
    }
    return NULL;
}

static int compile(const char *s)
{
    const char *start = s;

    while (*s != '\0') {
        struct item *it = &pat[npat];

        if (npat == MAXPAT)
            return 0;
        it->star = 0;
        if (*s == '^' && s == start) {
            it->kind = P_BOL;
            s++;
        } else if (*s == '$' && s[1] == '\0') {
            it->kind = P_EOL;
            s++;
        } else if (*s == '?') {
            it->kind = P_ANY;
            s++;
        } else if (*s == '[') {
            s = read_class(s + 1, it);
            if (s == NULL)
                return 0;
        } else if (*s == '*' && npat > 0 && !pat[npat - 1].star
                   && pat[npat - 1].kind != P_BOL) {
            pat[npat - 1].star = 1;
            s++;
            continue;
        } else {
            if (*s == '@' && s[1] != '\0')
                s++;
            it->kind = P_CHAR;
            it->c = (unsigned char)*s;
            s++;
        }
        npat++;
    }
    return npat > 0;
}

static int one(const struct item *it, int c)
{
    if (c == '\0')
        return 0;
    switch (it->kind) {
    case P_CHAR:
        return it->c == c;
    case P_ANY:
        return 1;
    case P_CLASS:
        return set_has(it->set, c);
    case P_NCLASS:
        return !set_has(it->set, c);
    default:
        return 0;
    }
}

/* The end of the match of items from j on at place i of the line, or -1. */
static int match_at(const char *line, int i, int j)
{
    int k, end;

    if (j == npat)
        return i;
    if (pat[j].kind == P_BOL)
        return i == 0 ? match_at(line, i, j + 1) : -1;
    if (pat[j].kind == P_EOL)
        return line[i] == '\0' ? match_at(line, i, j + 1) : -1;
    if (!pat[j].star)
        return one(&pat[j], (unsigned char)line[i]) ? match_at(line, i + 1, j + 1) : -1;
    k = i;
    while (one(&pat[j], (unsigned char)line[k]))
        k++;
    for (; k >= i; k--) {
        end = match_at(line, k, j + 1);
        if (end >= 0)
            return end;
    }
    return -1;
}

static void put_sub(const char *sub, const char *line, int from, int to)
{
    for (; *sub != '\0'; sub++) {
        if (*sub == '&')
            fwrite(line + from, 1, to - from, stdout);
        else if (*sub == '@' && sub[1] != '\0')
            putchar(*++sub);
        else
            putchar(*sub);
    }
}

int main(int argc, char **argv)
{
    char line[MAXLINE];

    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: change pattern [replacement]\n");
        return 2;
    }
    if (!compile(argv[1])) {
        printf("change: illegal pattern\n");
        return 2;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        int i = 0, last = -1;

        line[strcspn(line, "\n")] = '\0';
        while (line[i] != '\0') {
            int end = match_at(line, i, 0);

            if (end >= 0 && end != last) {
                put_sub(argc == 3 ? argv[2] : "", line, i, end);
                last = end;
            }
            if (end <= i)
                putchar(line[i++]);
            else
                i = end;
        }
        putchar('\n');
    }
    return 0;
}
