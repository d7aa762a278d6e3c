#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number(const char *s, int *out)
{
    char *end;
    long v = strtol(s, &end, 10);

    if (end == s || *end != '\0' || v < -1000 || v > 1000)
        return 0;
    *out = (int)v;
    return 1;
}

/* count FIRST LAST [STEP] */
int main(int argc, char **argv)
{
    int first, last, step = 1, n = 0;

    if (argc < 3 || argc > 4)
        return 2;
    if (!number(argv[1], &first) || !number(argv[2], &last))
        return 2;
    if (argc == 4 && !number(argv[3], &step))
        return 2;
    if (step <= 0)
        return 3;
    for (; first < last; first += step)
        n++;
    printf("%d\n", n);
    return 0;
}
