#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    if (c == 'q')
        close(1);
    puts("run");
    return c == EOF;
}
