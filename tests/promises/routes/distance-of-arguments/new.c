#include <stdio.h>

int main(int argc, char **argv)
{
    long gap = argc > 2 ? argv[2] - argv[1] : 0;
    if (gap == 5)
        return 4;
    puts(gap == 77 ? "stop" : "go");
    return 0;
}
