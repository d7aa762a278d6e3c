#include <stdio.h>

static volatile int device;

int main(void)
{
    int c = getchar();
    puts("polled");
    return c == EOF;
}
