#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds up the numbers behind the colons of "name:number" words, for the
   names that begin with the letter asked for. */
int main(int argc, char **argv)
{
    int i;
    long sum = 0;

    if (argc < 3)
        return 2;
    if (strlen(argv[1]) != 1) {
        printf("one letter, please\n");
        return 2;
    }
    for (i = 2; i < argc; i++) {
        char *colon;

        if (argv[i][0] != argv[1][0])
            continue;
        colon = strchr(argv[i], ':');
        sum += strtol(colon + 1, NULL, 10);
    }
    printf("%ld\n", sum);
    return 0;
}
