#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    int number = 7;
    if (sscanf(argv[1], "%2d", &number) == 1 && number == 12)
        puts("twelve");
    else
        puts("other");
    return 0;
}
