#include <stdio.h>

int main(int argc, char **argv)
{
    char got = 0;
    if (argc >= 2)
        got = **(argv + 1);
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
