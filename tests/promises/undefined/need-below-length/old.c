#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int length = argc > 1 ? atoi(argv[1]) : 0;
    if (length < 0)
        return 1;
    puts("allocate");
    return 0;
}
