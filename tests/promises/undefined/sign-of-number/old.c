#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    double number = argv[1][0] * -1.0;
    puts(number < -100.0 ? "less" : "more");
    return 0;
}
