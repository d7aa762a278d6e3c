#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int copy = dup(0);
    FILE *file = fdopen(copy, "r");
    int got = file ? fgetc(file) : EOF;
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
