#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char *text;
    struct line *next;
};

static struct line *buffer;
static int total;
static int dot;
static int errors;

static struct line **slot(int n)
{
    struct line **pp = &buffer;

    while (n-- > 1 && *pp != NULL)
        pp = &(*pp)->next;
    return pp;
}

static void complain(void)
{
    errors++;
    printf("?\n");
}

static void insert_before(int n, const char *text)
{
    struct line **pp = slot(n), *l = malloc(sizeof *l);

    if (l == NULL || (l->text = malloc(strlen(text) + 1)) == NULL)
        exit(3);
    strcpy(l->text, text);
    l->next = *pp;
    *pp = l;
    total++;
    dot = n;
}

static void delete_lines(int from, int to)
{
    struct line **pp = slot(from), *l;
    int n;

    for (n = from; n <= to; n++) {
        l = *pp;
        *pp = l->next;
        free(l->text);
        free(l);
        total--;
    }
    dot = from;
}

static void print_lines(int from, int to, int numbered)
{
    struct line *l = *slot(from);
    int n;

    for (n = from; n <= to; n++) {
        if (numbered)
            printf("%d\t", n);
        printf("%s\n", l->text);
        l = l->next;
    }
    dot = to;
}

static int address(const char **s, int *out)
{
    const char *p = *s;
    int n = 0;

    if (*p == '.') {
        *out = dot;
        p++;
    } else if (*p == '$') {
        *out = total;
        p++;
    } else if (*p >= '0' && *p <= '9') {
        while (*p >= '0' && *p <= '9' && n < 10000)
            n = n * 10 + (*p++ - '0');
        *out = n;
    } else {
        return 0;
    }
    *s = p;
    return 1;
}

static void execute(const char *s)
{
    int from = dot, to, given;

    given = address(&s, &from);
    to = from;
    if (given && *s == ',') {
        s++;
        if (!address(&s, &to)) {
            complain();
            return;
        }
    }
    if (*s == 'i' && s[1] == ' ') {
        insert_before(from < 1 ? 1 : from > total ? total + 1 : from, s + 2);
        return;
    }
    if (*s == 'a' && s[1] == ' ') {
        insert_before((from > total ? total : from) + 1, s + 2);
        return;
    }
    if (from < 1 || to < from || to > total) {
        complain();
        return;
    }
    switch (*s) {
    case 'd':
        delete_lines(from, to);
        break;
    case 'p':
        print_lines(from, to, 0);
        break;
    case 'n':
        print_lines(from, to, 1);
        break;
    case '\0':
        dot = to;
        break;
    default:
        complain();
    }
}

int main(void)
{
    char line[256];

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "q") == 0)
            break;
        execute(line);
    }
    return errors > 0;
}
