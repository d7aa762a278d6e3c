#include <stdio.h>

static int device;

int main(void)
{
    int c = getchar();
    volatile int *port = c == 'q' ? NULL : &device;
    puts("polled");
    return port == &device + 1;
}
