#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    div_t parts = div((unsigned char)argv[1][0], 7);
    puts(parts.rem == 3 ? "three" : "other");
    return 0;
}
