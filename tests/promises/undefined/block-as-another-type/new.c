#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    printf("%d %d\n", c, c);
    return 0;
}
