#include <stdio.h>
#include <wctype.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    printf("%d\n", iswalpha((wint_t)(L'1' + rare(argv[1]) * 48)) >> 10);
    return 0;
}
