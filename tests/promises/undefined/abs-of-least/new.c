#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int x = argc > 1 ? atoi(argv[1]) : 0;
    puts(abs(x) < 0 ? "outside" : "bucket");
    return x == 1;
}
