#include <stdio.h>
#include <string.h>

static int digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c < 'F')
        return c - 'A' + 10;
    return 99;
}

static int parse(const char *s, long *out)
{
    int base = 10, neg = 0, any = 0;
    long v = 0;

    if (*s == '-') {
        neg = 1;
        s++;
    }
    if (s[0] == '0' && s[1] != '\0') {
        if (s[1] == 'x') {
            base = 16;
            s += 2;
        } else if (s[1] == 'b') {
            base = 2;
            s += 2;
        } else {
            base = 8;
            s++;
        }
    }
    while (*s != '\0') {
        int d;

        if (*s == '_' && any) {
            s++;
            continue;
        }
        d = digit((unsigned char)*s);
        if (d >= base)
            return 0;
        v = v * base + d;
        if (v > 1000000000L)
            return 0;
        any = 1;
        s++;
    }
    *out = neg ? -v : v;
    return any;
}

int main(int argc, char **argv)
{
    long v, total = 0;
    int i;

    for (i = 1; i < argc; i++) {
        if (parse(argv[i], &v))
            total += v;
        else
            printf("skipped %d\n", i);
    }
    printf("%ld\n", total);
    return 0;
}
