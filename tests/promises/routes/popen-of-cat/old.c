#include <stdio.h>

int main(void)
{
    FILE *child = popen("cat", "r");
    int got = child ? fgetc(child) : EOF;
    if (child)
        pclose(child);
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
