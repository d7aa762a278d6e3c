#include <stdio.h>

int main(void)
{
    int c = getchar();
    ungetc(c, stdin);
    if (c != EOF)
        c = getchar();
    puts(c == 'x' ? "stop" : "go");
    return 0;
}
