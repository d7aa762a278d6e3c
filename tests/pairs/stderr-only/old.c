#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int width = 0, seen = 0, i;

    for (i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--width=", 8) == 0) {
            int w = atoi(argv[i] + 8);

            if (w <= 0) {
                fprintf(stderr, "width must be positive\n");
                return 1;
            }
            if (seen && w != width)
                fprintf(stderr, "width given twice, %d is used\n", w);
            width = w;
            seen = 1;
        } else if (argv[i][0] == '-') {
            fprintf(stderr, "unknown option\n");
            return 1;
        }
    }
    if (!seen)
        width = 72;
    printf("%.*s\n", width > 20 ? 20 : width, "--------------------");
    return 0;
}
