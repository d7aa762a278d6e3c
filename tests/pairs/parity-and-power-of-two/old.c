#include <stdio.h>

static int bits(unsigned v)
{
    int n = 0;
    for (int i = 0; i < 8; i++)
        n += (v >> i) & 1;
    return n;
}

int main(void)
{
    int c = getchar();
    if (c == EOF) {
        puts("end");
        return 0;
    }
    int n = bits((unsigned)c);
    puts(n % 2 ? "odd" : "even");
    if (n == 1)
        puts("power of two");
    else if (n == 0)
        puts("zero");
    return 0;
}
