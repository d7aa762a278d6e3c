#include <unistd.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    char c = (char)('a' + rare(argv[1]));
    int other = dup(1);
    write(other, &c, 1);
    write(1, "a", 1);
    return 0;
}
