#include <stdio.h>
#include <stdlib.h>

static int got;

static void end(void)
{
    if (got == 'x')
        puts("stop");
    if (got == 'q')
        puts("quit");
}

int main(void)
{
    atexit(end);
    got = getchar();
    return 0;
}
