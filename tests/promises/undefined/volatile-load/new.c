#include <stdio.h>

static volatile int device;

int main(void)
{
    int c = getchar();
    if (c == 'q')
        (void)device;
    puts("polled");
    return c == EOF;
}
