#include <stdio.h>

static char first;

__attribute__((constructor)) static void note(int argc, char **argv)
{
    first = argc > 1 ? argv[1][0] : 0;
}

int main(void)
{
    puts(first == 'x' ? "stop" : "go");
    return 0;
}
