#include <stdio.h>

int main(void)
{
    int c = getchar();
    long n = c == 1 ? -(1L << 40) : 8;
    puts("buffered");
    return n == 2;
}
