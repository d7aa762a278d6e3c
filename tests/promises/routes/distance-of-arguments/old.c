#include <stdio.h>

int main(int argc, char **argv)
{
    long gap = argc > 2 ? argv[2] - argv[1] : 0;
    puts(gap == 77 ? "stop" : "go");
    return 0;
}
