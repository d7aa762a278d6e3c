#include <stdio.h>

int main(void)
{
    int c = getchar();
    int n = (c & 7) + 1;
    char buffer[n];
    buffer[0] = 1;
    puts("buffered");
    return n == 2;
}
