#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header is 24 bytes: name (12), size in octal (6), type (1), sum in
   octal (4), newline.  The sum is over the 19 bytes in front of it. */
#define HEADER 24

static int octal(const unsigned char *s, int n, long *out)
{
    long v = 0;
    int i;

    for (i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '7')
            return 0;
        v = v * 8 + (s[i] - '0');
    }
    *out = v;
    return 1;
}

static const char *kind(int t)
{
    switch (t) {
    case 'f':
        return "file";
    case 'd':
        return "directory";
    case 'l':
        return "link";
    default:
        return "?";
    }
}

int main(int argc, char **argv)
{
    unsigned char h[HEADER];
    char name[13];
    long size, sum, have;
    int i, entries = 0;
    FILE *f;

    if (argc < 2) {
        fprintf(stderr, "usage: list ARCHIVE\n");
        return 2;
    }
    f = fopen(argv[1], "rb");
    if (f == NULL) {
        fprintf(stderr, "list: cannot open archive\n");
        return 2;
    }
    while (fread(h, 1, HEADER, f) == HEADER) {
        if (!octal(h + 12, 6, &size) || !octal(h + 19, 4, &sum)) {
            fprintf(stderr, "list: bad number\n");
            return 1;
        }
        have = 0;
        for (i = 0; i < 19; i++)
            have += h[i];
        if (have != sum) {
            fprintf(stderr, "list: bad sum\n");
            return 1;
        }
        memcpy(name, h, 12);
        name[12] = '\0';
        printf("%s %ld %s\n", name, size, kind(h[18]));
        if (h[18] == 'f')
            fseek(f, size, SEEK_CUR);
        entries++;
    }
    fclose(f);
    printf("%d\n", entries);
    return 0;
}
