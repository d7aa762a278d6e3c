#include <stdio.h>

int main(void)
{
    int c = getchar();
    printf("%d %d\n", (short)(c & 0xffff), (short)(c >> 16));
    return 0;
}
