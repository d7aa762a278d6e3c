#include <stdio.h>

static int same(c)
int c;
{
    return c;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    puts(same(argv[1][0]) == 'x' ? "x" : "y");
    return 0;
}
