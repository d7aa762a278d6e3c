#include <stdio.h>

int main(void)
{
    int x = getchar();
    puts(x * 2 / 2 == x ? "same" : "lost");
    return x == 7;
}
