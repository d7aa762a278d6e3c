#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    puts("run");
    return c == EOF;
}
