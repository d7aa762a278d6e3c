#include <stdio.h>

int main(void)
{
    int c, more = 0, bad = 0, chars = 0;
    long v = 0, least = 0;

    while ((c = getchar()) != EOF) {
        if (more > 0) {
            if ((c & 0xc0) != 0x80) {
                bad++;
                more = 0;
                ungetc(c, stdin);
                continue;
            }
            v = v << 6 | (c & 0x3f);
            if (--more == 0) {
                if (v < least || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
                    bad++;
                else
                    chars++;
            }
        } else if (c < 0x80) {
            chars++;
        } else if ((c & 0xe0) == 0xc0) {
            more = 1;
            v = c & 0x1f;
            least = 0x80;
        } else if ((c & 0xf0) == 0xe0) {
            more = 2;
            v = c & 0x0f;
            least = 0x400;
        } else if ((c & 0xf8) == 0xf0) {
            more = 3;
            v = c & 0x07;
            least = 0x10000;
        } else {
            bad++;
        }
    }
    printf("%d characters, %d errors\n", chars, bad + (more > 0));
    return 0;
}
