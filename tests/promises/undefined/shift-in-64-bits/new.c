#include <stdio.h>

int main(void)
{
    unsigned n = (unsigned)getchar() & 63;
    unsigned flag = (unsigned)(1ull << n);
    puts(flag & 0xf0f0f0f0u ? "high" : "low");
    return 0;
}
