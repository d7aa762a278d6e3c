#include <stdio.h>
#include <stdlib.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    div_t parts = div(-2147483647 - rare(argv[1]), -1);
    puts(parts.quot == 0 ? "zero" : "some");
    return 0;
}
