#include <stdio.h>

int main(void)
{
    if (fseek(stdin, 2, SEEK_SET))
        return 1;
    int got = getchar();
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
