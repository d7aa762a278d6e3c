#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    signed char x = (signed char)getchar();
    puts("bucket");
    return x == 1;
}
