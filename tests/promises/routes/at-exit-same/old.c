#include <stdio.h>
#include <stdlib.h>

static int got;

static void end(void)
{
    puts(got > 'x' ? "stop" : "go");
}

int main(void)
{
    atexit(end);
    got = getchar();
    return 0;
}
