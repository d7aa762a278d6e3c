#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char line[128], name[32], best[32] = "nobody";
    int points, top = 0, n = 0;
    FILE *in, *out;

    if (argc != 3) {
        fprintf(stderr, "usage: score IN OUT\n");
        return 2;
    }
    if (strcmp(argv[1], argv[2]) == 0) {
        fprintf(stderr, "score: same file\n");
        return 2;
    }
    in = fopen(argv[1], "r");
    if (in == NULL) {
        fprintf(stderr, "score: no input\n");
        return 1;
    }
    while (fgets(line, sizeof line, in) != NULL) {
        if (sscanf(line, "%31[^:]: %d", name, &points) != 2)
            continue;
        n++;
        if (points > top) {
            top = points;
            strcpy(best, name);
        }
    }
    fclose(in);
    out = fopen(argv[2], "w");
    if (out == NULL) {
        fprintf(stderr, "score: cannot write\n");
        return 1;
    }
    fprintf(out, "%s %d\n", best, top);
    fclose(out);
    printf("%d players\n", n);
    return 0;
}
