#include <stdio.h>

int main(void)
{
    unsigned x = (unsigned)getchar() & 255;
    int zeros = x ? __builtin_clz(x) : 32;
    printf("%d\n", zeros);
    return 0;
}
