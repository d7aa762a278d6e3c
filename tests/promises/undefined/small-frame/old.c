#include <stdio.h>

static void draw(int c)
{
}

int main(void)
{
    int c = getchar();
    if (c == 'q')
        draw(c);
    puts("drawn");
    return 0;
}
