#include <stdio.h>

static int mode(int c)
{
    int mode = 7;
    if (c == 'q')
        mode = 9;
    return mode;
}

int main(void)
{
    int c = getchar();
    puts(mode(c) == 7 ? "seven" : "nine");
    return 0;
}
