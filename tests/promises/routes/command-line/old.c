#include <stdio.h>

int main(int argc, char **argv)
{
    char got = argc > 1 ? argv[1][0] : 0;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
