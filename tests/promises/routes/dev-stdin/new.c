#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/dev/stdin", "r");
    int got = file ? fgetc(file) : EOF;
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
