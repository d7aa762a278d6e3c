#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    int number = 7;
    sscanf(argv[1], "%2d", &number);
    puts(number == 12 ? "twelve" : "other");
    return 0;
}
