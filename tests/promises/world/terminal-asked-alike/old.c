#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    if (isatty(1))
        puts("> ");
    puts(c > 'x' ? "stop" : "go");
    return 0;
}
