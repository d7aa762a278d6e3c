#include <stdio.h>
#include <string.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    char text[8] = {'x', (char)('x' + rare(argv[1]))};
    sprintf(text, "x%s", text);
    puts(text);
    return 0;
}
