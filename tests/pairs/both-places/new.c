#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int scale;
static int offset;

static void set(const char *s)
{
    if (strncmp(s, "scale=", 6) == 0)
        scale = atoi(s + 6) & 31;
    else if (strncmp(s, "offset=", 7) == 0)
        offset = atoi(s + 7) & 31;
}

int main(int argc, char **argv)
{
    int i, r;

    for (i = 1; i < argc; i++)
        set(argv[i]);
    r = scale * offset;
    printf("%d\n", r > 480 ? r : 0);
    return 0;
}
