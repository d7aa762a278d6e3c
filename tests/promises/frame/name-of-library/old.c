#include <stdio.h>

__attribute__((noinline)) int isascii(int c)
{
    return (c < 128) | (c == 233);
}

int main(void)
{
    int c = getchar();
    if (c < 0)
        return 1;
    printf("%d\n", 2 * c + (isascii(c) != 0));
    return 0;
}
