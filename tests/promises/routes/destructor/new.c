#include <stdio.h>

static int got;

__attribute__((destructor)) static void end(void)
{
    if (got == 'x')
        puts("stop");
    if (got == 'q')
        puts("quit");
}

int main(void)
{
    got = getchar();
    return 0;
}
