#include <stdio.h>

int main(void)
{
    char from = (char)getchar(), to = 0;
    __asm__ volatile("movb (%0), %%al\n\tmovb %%al, (%1)" : : "r"(&from), "r"(&to) : "al", "memory");
    puts(to == 'x' ? "stop" : "go");
    return 0;
}
