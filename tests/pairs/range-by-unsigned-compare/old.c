#include <stdio.h>

static int kind(char c)
{
    if (c >= 'a' && c <= 'z')
        return 1;
    if (c >= 'A' && c <= 'Z')
        return 1;
    if (c >= '0' && c <= '9')
        return 2;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    int first = kind(argv[1][0]);
    int second = first ? kind(argv[1][1]) : 0;

    if (first == 1 && second == 2)
        puts("cell");
    else if (first == 1)
        puts("name");
    else if (first == 2)
        puts("number");
    else
        puts("other");
    return 0;
}
