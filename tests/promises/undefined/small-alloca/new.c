#include <alloca.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    char *buffer = alloca(16);
    buffer[0] = (char)c;
    puts("buffered");
    return c == EOF;
}
