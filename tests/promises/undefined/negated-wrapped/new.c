#include <limits.h>
#include <stdio.h>

int main(void)
{
    unsigned bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (unsigned)(getchar() & 255) << 8 * i;
    int x = (int)bits;
    puts(x < 0 && -x < 0 ? "stuck" : "moved");
    return 0;
}
