#include <stdio.h>

int main(void)
{
    int x = 0;
    for (int i = 0; i < 4; i++)
        x |= (int)((unsigned)(getchar() & 255) << 8 * i);
    puts("same");
    return 0;
}
