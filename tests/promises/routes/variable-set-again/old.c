#include <stdio.h>
#include <stdlib.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    char value[2] = {(char)('a' + rare(argv[1]))};
    setenv("NAME", value, 1);
    char *kept = getenv("NAME");
    setenv("NAME", "a", 1);
    putchar(*kept);
    return 0;
}
