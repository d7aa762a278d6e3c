#include <alloca.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    size_t n = c == 'q' ? 256 << 20 : 16;
    puts("buffered");
    return n == 2;
}
