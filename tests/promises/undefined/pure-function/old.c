#include <stdio.h>

__attribute__((pure)) static int check(int c)
{
    return c * 3 + 1;
}

int main(void)
{
    int c = getchar();
    puts("checked");
    return c == 'x' && check('a') == 2;
}
