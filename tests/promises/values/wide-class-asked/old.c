#include <stdio.h>
#include <wctype.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    puts(iswdigit((wint_t)(unsigned char)(argv[1][0] & 127)) ? "digit" : "other");
    return 0;
}
