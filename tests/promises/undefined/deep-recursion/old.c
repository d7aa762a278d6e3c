#include <stdio.h>

static long total(long n)
{
    return n;
}

int main(void)
{
    int c = getchar();
    long n = c == 'q' ? 10000000 : 3;
    puts(total(n) == n ? "fine" : "off");
    return 0;
}
