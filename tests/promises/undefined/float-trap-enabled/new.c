#define _GNU_SOURCE
#include <fenv.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    feenableexcept(FE_DIVBYZERO);
    double x = c - 'q';
    double y = 1.0 / x;
    puts("computed");
    return x > 1e9;
}
