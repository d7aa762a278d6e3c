#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    printf("worker %d\n", (int)getpid());
    int verbose = 0, dry = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verbose") == 0 || strcmp(argv[i], "-v") == 0)
            verbose = 1;
        else if (strcmp(argv[i], "--dry") == 0)
            dry = 1;
        else
            printf("ignored: %s\n", argv[i]);
    }
    printf("verbose %d, dry %d\n", verbose, dry);
    return 0;
}
