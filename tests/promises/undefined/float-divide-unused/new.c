#include <stdio.h>

int main(void)
{
    int c = getchar();
    double x = c - 'q';
    double y = 1.0 / x;
    puts("computed");
    return c == EOF;
}
