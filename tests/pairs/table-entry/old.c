#include <stdio.h>
#include <string.h>

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int value_of(int c)
{
    const char *p;

    if (c == '\0')
        return -1;
    p = strchr(alphabet, c);
    return p == NULL ? -1 : (int)(p - alphabet);
}

/* Decodes groups of four letters; a group that is not whole is left out. */
int main(int argc, char **argv)
{
    unsigned long bits = 0;
    int n = 0, v;
    const char *s;

    if (argc < 2) {
        puts("nothing to decode");
        return 0;
    }
    for (s = argv[1]; *s != '\0'; s++) {
        v = value_of(*s);
        if (v < 0) {
            fprintf(stderr, "bad letter at %d\n", (int)(s - argv[1]));
            return 1;
        }
        bits = bits << 6 | (unsigned long)v;
        if (++n == 4) {
            printf("%02lx %02lx %02lx\n", bits >> 16 & 255, bits >> 8 & 255, bits & 255);
            n = 0;
            bits = 0;
        }
    }
    return n;
}
