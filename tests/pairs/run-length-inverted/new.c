#include <stdio.h>

#define LONGEST 255

struct tally {
    unsigned long pieces;
    unsigned long saved;
};

static int printable(int byte)
{
    if (byte < 33 || byte > 126)
        return 0;
    return byte < '0' || byte > '9';
}

int main(void)
{
    struct tally t = {0, 0};
    int c = getchar();

    while (c != EOF) {
        int left = LONGEST - 1;
        int next;
        while ((next = getchar()) == c && left != 0)
            left--;

        int count = LONGEST - left;
        printf("%d", count);
        if (printable(c))
            putchar(c);
        else
            printf(":%x%x", (unsigned)c >> 4, (unsigned)c & 15);
        putchar(' ');

        t.pieces += 1;
        t.saved += count < 2 ? 0 : (unsigned long)(count - 2);
        c = next;
    }
    printf("\n%lu pieces, %lu saved\n", t.pieces, t.saved);
    return 0;
}
