#include <stdio.h>
#include <string.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    unsigned long bits = (unsigned long)rare(argv[1]);
    double number;
    memcpy(&number, &bits, sizeof number);
    printf("%d\n", number > 0.0);
    return 0;
}
