#include <stdio.h>
#include <string.h>

static int is(const char *word, const char *name)
{
    return strcmp(word, name) == 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && (is(argv[1], "go") || is(argv[1], "quit") || is(argv[1], "stop")))
        puts("known");
    else
        puts("unknown");
    return 0;
}
