#include <stdio.h>

static const int limits[2] = {10, 20};

int main(void)
{
    int c = getchar();
    printf("%d\n", limits[c == 'x']);
    return 0;
}
