#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (c == EOF)
        return 1;
    puts(c == 'x' ? "stop" : "go");
    return 0;
}
