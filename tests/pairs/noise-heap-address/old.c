#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        puts("no name");
        return 1;
    }
    size_t n = strlen(argv[1]);
    char *copy = malloc(n + 1);
    if (!copy)
        return 9;
    strcpy(copy, argv[1]);
    printf("copy at %p\n", (void *)copy);

    for (size_t i = 0; i < n; i++)
        if (copy[i] >= 'a' && copy[i] <= 'z')
            copy[i] = (char)(copy[i] - 'a' + 'A');
    printf("name %s\n", copy);
    free(copy);
    return 0;
}
