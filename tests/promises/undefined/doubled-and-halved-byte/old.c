#include <stdio.h>

int main(void)
{
    int x = getchar();
    puts("same");
    return x == 7;
}
