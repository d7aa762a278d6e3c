#include <stdio.h>
#include <string.h>

#define NCH 256
#define MAXSET 300

char set1[MAXSET], set2[MAXSET];
int len1, len2;
int dflag, sflag, cflag;
unsigned char map[NCH];
char drop[NCH], squeeze[NCH];

int expand(s, out)
char *s;
char *out;
{
    int n, c, hi;

    n = 0;
    while (*s && n < 250) {
        c = *s++ & 0377;
        if (c == '\\' && *s) {
            switch (*s) {
            case 'n':
                c = '\n';
                break;
            case 't':
                c = '\t';
                break;
            default:
                c = *s & 0377;
            }
            s++;
        }
        if (*s == '-' && s[1]) {
            hi = s[1] & 0377;
            s += 2;
            while (c <= hi && n < 250)
                out[n++] = c++;
        } else
            out[n++] = c;
    }
    return n;
}

int member(c, s, n)
int c;
char *s;
int n;
{
    while (n-- > 0)
        if ((*s++ & 0377) == c)
            return 1;
    return 0;
}

void build()
{
    int i, k;

    for (i = 0; i < NCH; i++)
        map[i] = i;
    if (dflag) {
        for (i = 0; i < NCH; i++)
            if (member(i, set1, len1) != cflag)
                drop[i] = 1;
    } else if (len2 > 0) {
        for (i = 0; i < len1; i++) {
            k = i < len2 ? i : len2 - 1;
            map[set1[i] & 0377] = set2[k];
        }
    }
    if (sflag)
        for (i = 0; i < len2; i++)
            squeeze[set2[i] & 0377] = 1;
}

int main(argc, argv)
int argc;
char **argv;
{
    int c, last;
    char *p;

    argc--;
    argv++;
    while (argc > 0 && argv[0][0] == '-' && argv[0][1]) {
        for (p = argv[0] + 1; *p; p++) {
            if (*p == 'd')
                dflag = 1;
            else if (*p == 's')
                sflag = 1;
            else if (*p == 'c')
                cflag = 1;
            else {
                fprintf(stderr, "trl: bad flag %c\n", *p);
                return 1;
            }
        }
        argc--;
        argv++;
    }
    if (argc < 1) {
        fprintf(stderr, "usage: trl [-cds] set1 [set2]\n");
        return 1;
    }
    len1 = expand(argv[0], set1);
    if (argc > 1)
        len2 = expand(argv[1], set2);
    build();
    last = -1;
    while ((c = getchar()) != EOF) {
        if (drop[c])
            continue;
        c = map[c];
        if (c == last && squeeze[c])
            continue;
        putchar(c);
        last = c;
    }
    return 0;
}
