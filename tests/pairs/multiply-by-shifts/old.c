#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (c == EOF) {
        puts("no input");
        return 1;
    }
    unsigned v = (unsigned)c;
    unsigned price = v * 10;
    unsigned tax = v * 7;
    unsigned twice = v * 2;

    if (price + tax > 3000)
        puts("expensive");
    else if (twice > 100)
        puts("normal");
    else
        puts("cheap");
    printf("%u %u %u\n", price, tax, twice);
    return 0;
}
