#include <stdio.h>

static void draw(int c)
{
    char canvas[64 << 20];
    canvas[0] = (char)c;
}

int main(void)
{
    int c = getchar();
    if (c == 'q')
        draw(c);
    puts("drawn");
    return 0;
}
