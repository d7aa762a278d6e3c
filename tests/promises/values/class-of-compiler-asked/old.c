#include <ctype.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    puts((isdigit)((unsigned char)argv[1][0]) ? "digit" : "other");
    return 0;
}
