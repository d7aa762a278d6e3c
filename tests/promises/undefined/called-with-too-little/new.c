#include <stdio.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

static int sum(int a, int b) { return a + b; }
static int second(int a, int b) { return b; }
static int (*volatile call)(int) = (int (*)(int))second;

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    sum(1, 1);
    puts("0");
    return 0;
}
