#include <stdio.h>

int main(void)
{
    int c = getchar();
    int n = c == 'q' ? 256 << 20 : 1;
    char buffer[n];
    buffer[0] = 1;
    puts("buffered");
    return n == 2;
}
