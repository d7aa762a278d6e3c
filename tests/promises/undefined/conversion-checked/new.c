#include <stdio.h>

int main(void)
{
    int c = getchar();
    volatile unsigned char low = (c & 127) * 3;
    return low > 255;
}
