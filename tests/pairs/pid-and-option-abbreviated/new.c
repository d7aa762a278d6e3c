#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is(const char *arg, const char *name)
{
    if (arg[0] == '-' && arg[1] == name[2] && arg[2] == '\0')
        return 1;
    return strcmp(arg, name) == 0;
}

int main(int argc, char **argv)
{
    printf("worker %d\n", (int)getpid());
    int verbose = 0, dry = 0;

    for (int i = 1; i < argc; i++) {
        if (is(argv[i], "--verbose"))
            verbose = 1;
        else if (is(argv[i], "--dry"))
            dry = 1;
        else
            printf("ignored: %s\n", argv[i]);
    }
    printf("verbose %d, dry %d\n", verbose, dry);
    return 0;
}
