#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 128

static int show[4] = { 0, 1, 1, 1 };

static int read_line(FILE *f, char *buf)
{
    if (fgets(buf, LINE, f) == NULL)
        return 0;
    buf[strcspn(buf, "\n")] = '\0';
    return 1;
}

static void column(int n, const char *text)
{
    int i;

    if (!show[n])
        return;
    for (i = 1; i < n; i++)
        if (show[i] || n == 3)
            putchar('\t');
    puts(text);
}

static FILE *must_open(const char *name)
{
    FILE *f = fopen(name, "r");

    if (f == NULL) {
        fprintf(stderr, "common: cannot open a file\n");
        exit(1);
    }
    return f;
}

int main(int argc, char **argv)
{
    FILE *a, *b;
    char la[LINE], lb[LINE];
    int have_a, have_b, order;
    const char *s;

    if (argc > 1 && argv[1][0] == '-' && argv[1][1] != '\0') {
        for (s = argv[1] + 1; *s != '\0'; s++) {
            if (*s < '1' || *s > '3') {
                fprintf(stderr, "common: bad flag\n");
                return 1;
            }
            show[*s - '0'] = 0;
        }
        argc--;
        argv++;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: common [-123] file1 file2\n");
        return 1;
    }
    a = must_open(argv[1]);
    b = must_open(argv[2]);
    have_a = read_line(a, la);
    have_b = read_line(b, lb);
    while (have_a || have_b) {
        if (!have_a)
            order = 1;
        else if (!have_b)
            order = -1;
        else
            order = strcmp(la, lb);
        if (order < 0) {
            column(1, la);
            have_a = read_line(a, la);
        } else if (order > 0) {
            column(2, lb);
            have_b = read_line(b, lb);
        } else {
            column(3, la);
            have_a = read_line(a, la);
            have_b = read_line(b, lb);
        }
    }
    fclose(a);
    fclose(b);
    return 0;
}
