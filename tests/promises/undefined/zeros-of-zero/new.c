#include <stdio.h>

int main(void)
{
    unsigned x = (unsigned)getchar() & 255;
    int zeros = __builtin_clz(x);
    printf("%d\n", zeros);
    return 0;
}
