#include <stdio.h>
#include <string.h>

double f(double a, double b, double c)
{
    return a * b + c;
}

int main(void)
{
    double x[3], y;
    if (fread(x, 8, 3, stdin) != 3)
        return 1;
    y = f(x[0], x[1], x[2]);
    fwrite(&y, 8, 1, stdout);
    return 0;
}
