#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    if (isatty(1))
        puts("> ");
    if (c == 'x')
        puts("stop");
    return 0;
}
