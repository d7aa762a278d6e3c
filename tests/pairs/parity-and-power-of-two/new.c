#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (c == EOF) {
        puts("end");
        return 0;
    }
    unsigned v = (unsigned)c;
    unsigned x = v ^ v >> 4;
    x ^= x >> 2;
    x ^= x >> 1;
    puts(x & 1 ? "odd" : "even");
    if (v == 0)
        puts("zero");
    else if ((v & (v - 1)) == 0)
        puts("power of two");
    return 0;
}
