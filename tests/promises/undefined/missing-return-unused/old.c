#include <stdio.h>

static int note(int c)
{
    if (c == 'q')
        puts("quit");
    return 0;
}

int main(void)
{
    note(getchar());
    return 0;
}
