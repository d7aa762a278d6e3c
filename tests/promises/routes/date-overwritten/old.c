#include <stdio.h>
#include <time.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    struct tm date = {.tm_mday = 1};
    char *text = asctime(&date);
    text[0] = (char)('S' + rare(argv[1]));
    asctime(&date);
    putchar(text[0]);
    return 0;
}
