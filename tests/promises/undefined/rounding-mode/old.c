#include <stdio.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

#pragma STDC FENV_ROUND FE_UPWARD

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    double one = 1.0, little = rare(argv[1]) * 0x1p-53;
    printf("%d\n", one + little > 1.0);
    return 0;
}
