#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    double number;
    if (fread(&number, sizeof number, 1, stdin) != 1)
        return 2;
    volatile double minus = -1.0;
    number *= minus;
    unsigned long bits;
    memcpy(&bits, &number, sizeof bits);
    printf("%d\n", (int)(bits >> 63));
    return 0;
}
