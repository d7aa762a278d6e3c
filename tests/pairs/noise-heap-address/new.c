#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        puts("no name");
        return 1;
    }
    char *copy = strdup(argv[1]);
    if (copy == NULL)
        return 9;
    printf("copy at %p\n", (void *)copy);

    for (char *p = copy; *p; p++)
        if ((unsigned char)(*p - 'a') < 26)
            *p ^= 0x20;
    printf("name %s\n", copy);
    free(copy);
    return 0;
}
