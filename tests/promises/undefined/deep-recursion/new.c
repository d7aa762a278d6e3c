#include <stdio.h>

static long total(long n)
{
    return n == 0 ? 0 : 1 + total(n - 1);
}

int main(void)
{
    int c = getchar();
    long n = c == 'q' ? 10000000 : 3;
    puts(total(n) == n ? "fine" : "off");
    return 0;
}
