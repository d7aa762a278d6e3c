#include <alloca.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    puts("buffered");
    return c == EOF;
}
