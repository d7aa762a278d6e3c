#include <stdio.h>

int main(void)
{
    unsigned a = 0, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    puts(b == 0x12345678 ? "odd" : "run");
    return 0;
}
