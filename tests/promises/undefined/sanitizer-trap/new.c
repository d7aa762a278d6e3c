#include <stdio.h>

int main(void)
{
    int x = 0;
    for (int i = 0; i < 4; i++)
        x |= (int)((unsigned)(getchar() & 255) << (i << 3));
    int scaled = x * 3;
    puts("scaled");
    return x == 77;
}
