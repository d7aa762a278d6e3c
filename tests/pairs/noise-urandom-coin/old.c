#include <stdio.h>

static int coin(void)
{
    FILE *f = fopen("/dev/urandom", "rb");
    if (!f)
        return 0;
    int c = getc(f);
    fclose(f);
    return c & 1;
}

int main(void)
{
    unsigned sum = 0;
    int c;
    while ((c = getchar()) != EOF)
        sum = (sum + (unsigned)c) % 16;
    printf("sum %u\n", sum);

    if (coin())
        puts("heads");
    else
        puts("tails");
    return 0;
}
