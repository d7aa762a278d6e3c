#include <stdio.h>
#include <stdlib.h>

static int got;

static void end(void)
{
    if (got == 'x')
        puts("stop");
}

int main(void)
{
    atexit(end);
    got = getchar();
    return 0;
}
