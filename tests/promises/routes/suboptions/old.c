#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *const names[] = {"ro", "size", NULL};
    char *value = NULL, *list = argc > 1 ? argv[1] : argv[argc];
    int got = 0;
    while (list && *list)
        if (getsubopt(&list, names, &value) == 1 && value)
            got = value[0];
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
