#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    if (isatty(1))
        puts("> ");
    puts(c >= 'y' ? "stop" : "go");
    return 0;
}
