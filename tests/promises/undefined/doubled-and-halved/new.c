#include <stdio.h>

int main(void)
{
    int x = 0;
    for (int i = 0; i < 4; i++)
        x |= (int)((unsigned)(getchar() & 255) << 8 * i);
    puts(x * 2 / 2 == x ? "same" : "lost");
    return 0;
}
