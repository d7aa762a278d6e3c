#include <stdio.h>

/* All in unsigned bytes; overflow is when both signs differ from the sum's. */
static unsigned add(unsigned a, unsigned b)
{
    unsigned s = (a + b) & 0xff;
    if ((a ^ s) & (b ^ s) & 0x80)
        return a & 0x80 ? 0x80 : 0x7f;
    return s;
}

int main(void)
{
    int a = getchar();
    int b = getchar();
    if (a == EOF || b == EOF) {
        puts("two bytes, please");
        return 1;
    }
    unsigned s = add((unsigned)a, (unsigned)b);
    switch (s) {
    case 0x7f:
        puts("top");
        break;
    case 0x80:
        puts("bottom");
        break;
    }
    printf("sum %d\n", (int)(s ^ 0x80) - 128);
    return 0;
}
