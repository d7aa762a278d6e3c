#include <stdio.h>
#include <string.h>

static void note(const char *name)
{
}

int main(int argc, char **argv)
{
    if (argc > 1)
        note(argv[1]);
    puts("noted");
    return 0;
}
