#include <stdio.h>
#include <string.h>

static int code;

static void classify(const char *s)
{
    size_t n = strlen(s);

    if (n > 3 && strcmp(s + n - 2, ".c") == 0) {
        code = 10;
        if (strchr(s, '/') != NULL) {
            code = 20;
            return;
        }
    }
    if (n > 8)
        code = 30;
}

int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++)
        classify(argv[i]);
    printf("%d files\n", argc - 1);
    return code;
}
