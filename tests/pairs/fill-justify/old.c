#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXWORDS 100
#define MAXTEXT 1024

static char words[MAXTEXT];
static int used;
static int nwords;
static int width;          /* letters in the words of this line */
static int linelen = 30;
static int indent;
static int fill = 1;
static int adjust = 1;
static int leftward;

static void pad(int n)
{
    while (n-- > 0)
        putchar(' ');
}

static void flush_line(int spread)
{
    int gaps = nwords - 1, extra, i, n;
    const char *w = words;

    if (nwords == 0)
        return;
    pad(indent);
    extra = linelen - indent - width - gaps;
    if (!spread || !adjust || extra < 0)
        extra = 0;
    for (i = 0; i < nwords; i++) {
        fputs(w, stdout);
        w += strlen(w) + 1;
        if (i < gaps) {
            n = extra / gaps;
            if (leftward) {
                if (i >= gaps - extra % gaps)
                    n++;
            } else {
                if (i < extra % gaps)
                    n++;
            }
            pad(n + 1);
        }
    }
    putchar('\n');
    if (spread)
        leftward = !leftward;
    nwords = used = width = 0;
}

static void add_word(const char *w)
{
    int len = (int)strlen(w);

    if (nwords > 0 && indent + width + nwords + len > linelen)
        flush_line(1);
    if (nwords == MAXWORDS || used + len + 1 > MAXTEXT)
        flush_line(0);
    memcpy(words + used, w, len + 1);
    used += len + 1;
    width += len;
    nwords++;
}

static int number(const char *s, int current, int lo, int hi)
{
    int v;

    while (*s == ' ')
        s++;
    if (*s == '+')
        v = current + atoi(s + 1);
    else if (*s == '-')
        v = current - atoi(s + 1);
    else
        v = atoi(s);
    if (v < lo)
        v = lo;
    if (v > hi)
        v = hi;
    return v;
}

static void command(const char *line)
{
    if (strncmp(line, ".br", 3) == 0) {
        flush_line(0);
    } else if (strncmp(line, ".ll", 3) == 0) {
        linelen = number(line + 3, linelen, 10, 60);
    } else if (strncmp(line, ".in", 3) == 0) {
        flush_line(0);
        indent = number(line + 3, indent, 0, 8);
    } else if (strncmp(line, ".nf", 3) == 0) {
        flush_line(0);
        fill = 0;
    } else if (strncmp(line, ".fi", 3) == 0) {
        fill = 1;
    } else if (strncmp(line, ".na", 3) == 0) {
        adjust = 0;
    } else if (strncmp(line, ".ad", 3) == 0) {
        adjust = 1;
    } else if (strncmp(line, ".sp", 3) == 0) {
        flush_line(0);
        putchar('\n');
    }
}

int main(void)
{
    char line[512], *w;

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '.') {
            command(line);
            continue;
        }
        if (!fill) {
            pad(indent);
            puts(line);
            continue;
        }
        if (line[0] == '\0') {
            flush_line(0);
            putchar('\n');
            continue;
        }
        for (w = strtok(line, " \t"); w != NULL; w = strtok(NULL, " \t"))
            add_word(w);
    }
    flush_line(0);
    return 0;
}
