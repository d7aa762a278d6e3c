#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static void end(int status, void *given)
{
    if (status == 'x')
        puts("stop");
}

int main(void)
{
    on_exit(end, NULL);
    return getchar() & 127;
}
