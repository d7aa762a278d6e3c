#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    int numbers[300];
    int *one = numbers + (unsigned char)argv[1][0];
    puts(one - numbers == 120 ? "x" : "y");
    return 0;
}
