#include <stdio.h>

int main(void)
{
    int c = getchar();
    int n = c - 'b';
    if (n < 0)
        puts("gone");
    else
        puts(4 >> n ? "left" : "gone");
    return 0;
}
