#include <stdio.h>

int main(void)
{
    unsigned x = (unsigned)getchar() | 1;
    int zeros = __builtin_clz(x);
    puts(zeros > 26 ? "small" : "large");
    return 0;
}
