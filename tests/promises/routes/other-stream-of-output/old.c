#include <stdio.h>
#include <unistd.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    FILE *other = fdopen(dup(1), "w");
    fputs(argv[1][0] == 'x' ? "x" : "y", other);
    return 0;
}
