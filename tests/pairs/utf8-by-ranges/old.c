#include <stdio.h>

#define LIMIT 4000

static unsigned char text[LIMIT];

/* Returns the length of the sequence at p, or 0 if it is not a valid one. */
static size_t sequence(const unsigned char *p, size_t left)
{
    size_t n;
    unsigned long code;

    if (p[0] < 0x80)
        return 1;
    if ((p[0] & 0xe0) == 0xc0) {
        n = 2;
        code = p[0] & 0x1fu;
    } else if ((p[0] & 0xf0) == 0xe0) {
        n = 3;
        code = p[0] & 0x0fu;
    } else if ((p[0] & 0xf8) == 0xf0) {
        n = 4;
        code = p[0] & 0x07u;
    } else {
        return 0;
    }
    if (left < n)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3fu);
    }
    if (n == 2 && code < 0x80)
        return 0;
    if (n == 3 && (code < 0x800 || (code >= 0xd800 && code <= 0xdfff)))
        return 0;
    if (n == 4 && (code < 0x10000 || code > 0x10ffff))
        return 0;
    return n;
}

int main(void)
{
    size_t n = fread(text, 1, LIMIT, stdin);
    size_t at = 0, letters = 0;

    while (at < n) {
        size_t step = sequence(text + at, n - at);
        if (step == 0) {
            printf("invalid at byte %zu after %zu characters\n", at, letters);
            return 1;
        }
        at += step;
        letters++;
    }
    printf("valid, %zu characters in %zu bytes\n", letters, n);
    return 0;
}
