#include <stdio.h>

int main(void)
{
    int c = getchar();
    double x = c - 'q';
    puts("computed");
    return c == EOF;
}
