#include <stdio.h>

int main(void)
{
    int c = getchar();
    long n = c == 1 ? -(1L << 40) : 8;
    char buffer[n];
    buffer[0] = 1;
    puts("buffered");
    return n == 2;
}
