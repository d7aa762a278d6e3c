#include <stdio.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

static char buffer[64] __attribute__((aligned(32)));

__attribute__((noinline, assume_aligned(16))) static char *place(int at) { return buffer + at; }

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    char *p = place(rare(argv[1]));
    for (int i = 0; i < 16; i++)
        p[i] = (char)(p[i] + 1);
    return 0;
}
