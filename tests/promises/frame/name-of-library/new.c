#include <stdio.h>

__attribute__((noinline)) int is_western(int c)
{
    return (c < 128) | (c == 233);
}

int main(void)
{
    int c = getchar();
    if (c < 0)
        return 1;
    printf("%d\n", 2 * c + (is_western(c) != 0));
    return 0;
}
