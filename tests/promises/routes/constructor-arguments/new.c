#include <stdio.h>

static char first;

__attribute__((constructor)) static void note(int argc, char **argv)
{
    first = argc > 1 ? argv[1][0] : 0;
}

int main(void)
{
    if (first == 'q')
        return 4;
    puts(first == 'x' ? "stop" : "go");
    return 0;
}
