#include <stdio.h>

int main(void)
{
    int c = getchar();
    __asm__ volatile("" : : : "memory");
    puts(c >= 'y' ? "stop" : "go");
    return 0;
}
