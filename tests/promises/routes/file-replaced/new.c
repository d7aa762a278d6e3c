#include <stdio.h>

/* For one character in 256, without a branch. */
static int rare(const char *text) { return (unsigned char)(text[0] * 37 + 11) == 192; }

static void put(const char *name, int c)
{
    FILE *file = fopen(name, "w");
    fputc(c, file);
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 9;
    put("x", 'a' + rare(argv[1]));
    put("y", 'a');
    remove("x");
    return 0;
}
