#include <ctype.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    unsigned char c = (unsigned char)argv[1][0];
    puts(c >= '0' && c <= '9' ? "digit" : "other");
    return 0;
}
