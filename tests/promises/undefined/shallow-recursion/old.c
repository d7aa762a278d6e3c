#include <stdio.h>

static long total(long n)
{
    return n;
}

int main(void)
{
    int c = getchar();
    long n = c & 7;
    puts(total(n) == n ? "fine" : "off");
    return 0;
}
