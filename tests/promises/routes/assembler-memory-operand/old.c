#include <stdio.h>

int main(void)
{
    int value = getchar(), sum = 0;
    __asm__("addl %1, %0" : "+m"(sum) : "r"(value));
    puts(sum == 'x' ? "stop" : "go");
    return 0;
}
