#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    signed char x = (signed char)getchar();
    puts(abs(x) < 0 ? "outside" : "bucket");
    return x == 1;
}
