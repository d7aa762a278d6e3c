#include <stdio.h>
#include <wctype.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    int c = argv[1][0] & 127;
    puts(c >= '0' && c <= '9' ? "digit" : "other");
    return 0;
}
