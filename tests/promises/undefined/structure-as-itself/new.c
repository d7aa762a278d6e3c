#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (c < 0)
        return 1;
    printf("%d\n", c == 123 ? 122 : c);
    return 0;
}
