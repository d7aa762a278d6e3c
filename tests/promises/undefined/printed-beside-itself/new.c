#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    puts(argv[1][0] == 'x' ? "x" : "y");
    return 0;
}
