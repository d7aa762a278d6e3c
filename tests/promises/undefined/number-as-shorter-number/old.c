#include <stdio.h>

static int cell;
static int *volatile first = &cell;
static short *volatile second = (short *)&cell;

__attribute__((noinline)) static int set(int *one, short *other, int c)
{
    *one = c;
    *other = c ^ (c == 123);
    return *one;
}

int main(void)
{
    int c = getchar();
    if (c < 0)
        return 1;
    printf("%d\n", set(first, second, c));
    return 0;
}
