#include <stdio.h>

int main(void)
{
    char got = 0;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(0L), "D"(0L), "S"(&got), "d"(1L) : "rcx", "r11", "memory");
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return result < 0;
}
