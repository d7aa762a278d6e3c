#include <fenv.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    double x = c - 'q';
    feclearexcept(FE_ALL_EXCEPT);
    puts(fetestexcept(FE_DIVBYZERO) ? "by zero" : "fine");
    return x > 1e9;
}
