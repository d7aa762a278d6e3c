#include <stdio.h>

#define LIMIT 4000

static unsigned char text[LIMIT];

int main(void)
{
    size_t n = fread(text, 1, LIMIT, stdin);
    size_t start = 0, letters = 0;
    int need = 0;
    unsigned char low = 0x80, high = 0xbf;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = text[i];
        if (need > 0) {
            if (c < low || c > high)
                goto invalid;
            low = 0x80;
            high = 0xbf;
            need--;
        } else {
            start = i;
            if (c >= 0xc2 && c <= 0xdf) {
                need = 1;
            } else if (c >= 0xe0 && c <= 0xef) {
                need = 2;
                if (c == 0xe0)
                    low = 0xa0;
                else if (c == 0xed)
                    high = 0x9f;
            } else if (c >= 0xf0 && c <= 0xf4) {
                need = 3;
                if (c == 0xf0)
                    low = 0x90;
                else if (c == 0xf4)
                    high = 0x8f;
            } else if (c >= 0x80) {
                goto invalid;
            }
        }
        if (need == 0)
            letters++;
    }
    if (need == 0) {
        printf("valid, %zu characters in %zu bytes\n", letters, n);
        return 0;
    }
invalid:
    printf("invalid at byte %zu after %zu characters\n", start, letters);
    return 1;
}
