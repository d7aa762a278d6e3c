#include <stdio.h>

int main(void)
{
    unsigned n = (unsigned)getchar() & 63;
    unsigned flag = n < 32 ? 1u << n : 0;
    puts(flag & 0xf0f0f0f0u ? "high" : "low");
    return 0;
}
