#include <stdio.h>
#include <stdlib.h>

__attribute__((pure, noinline)) static int check(int c)
{
    if (c == 'q')
        abort();
    return 1;
}

int main(void)
{
    int c = getchar();
    puts("checked");
    return c == 'x' && check('a') == 2;
}
