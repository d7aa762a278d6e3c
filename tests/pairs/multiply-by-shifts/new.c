#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (c == EOF) {
        puts("no input");
        return 1;
    }
    unsigned v = (unsigned)c;
    unsigned price = (v << 3) + (v << 1);
    unsigned tax = (v << 3) - v;
    unsigned twice = v + v;

    if ((v << 4) + v > 3000)
        puts("expensive");
    else if (v > 50)
        puts("normal");
    else
        puts("cheap");
    printf("%u %u %u\n", price, tax, twice);
    return 0;
}
