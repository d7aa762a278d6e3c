#include <fenv.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    double x = c - 'q';
    feclearexcept(FE_ALL_EXCEPT);
    double y = 1.0 / x;
    puts(fetestexcept(FE_DIVBYZERO) ? "by zero" : "fine");
    return x > 1e9;
}
