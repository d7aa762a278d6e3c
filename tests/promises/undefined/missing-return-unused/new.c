#include <stdio.h>

static int note(int c)
{
    if (c == 'q')
        puts("quit");
}

int main(void)
{
    note(getchar());
    return 0;
}
