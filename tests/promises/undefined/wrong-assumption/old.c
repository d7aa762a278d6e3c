#include <stdio.h>

int main(void)
{
    int c = getchar();
    puts("plain");
    return 0;
}
