#include <stdio.h>
#include <string.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    char text[601];
    memset(text, '0', 600);
    text[600] = 0;
    text[599] = (char)('0' + rare(argv[1]));
    int number = 7;
    number = 0;
    printf("%d\n", number);
    return 0;
}
