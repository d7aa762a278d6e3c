#include <stdio.h>

int main(void)
{
    unsigned x = (unsigned)getchar() | 1;
    int zeros = x ? __builtin_clz(x) : 32;
    puts(zeros > 26 ? "small" : "large");
    return 0;
}
