#include <stdio.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

static int same(int x) { return x; }
static long (*volatile wide)(long) = (long (*)(long))same;

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    printf("%d\n", rare(argv[1]));
    return 0;
}
