#include <stdio.h>

static double part(double of)
{
    return of * 0.01;
}

int main(void)
{
    int c = getchar();
    return (part(1e-308) == 0) & (c == 'q');
}
