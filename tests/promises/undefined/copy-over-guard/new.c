#include <stdio.h>
#include <string.h>

static void note(const char *name)
{
    char copy[8];
    strcpy(copy, name);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        note(argv[1]);
    puts("noted");
    return 0;
}
