// A number of four digits.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc > 1 && atoi(argv[1]) == 1984)
        puts("orwell");
    return 0;
}
