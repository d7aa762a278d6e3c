#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

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
    mkdir("d", 0777);
    chdir("d");
    put("x", argv[1][0] == 'x' ? 'y' : 'n');
    return 0;
}
