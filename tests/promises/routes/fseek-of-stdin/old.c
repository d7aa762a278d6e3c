#include <stdio.h>

int main(void)
{
    if (fseek(stdin, 2, SEEK_SET))
        return 1;
    int got = getchar();
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
