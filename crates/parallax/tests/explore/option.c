// A long option.
#include <getopt.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static const struct option options[] = { { "verbose", no_argument, 0, 'v' }, { 0, 0, 0, 0 } };
    int option;
    while ((option = getopt_long(argc, argv, "", options, 0)) != -1)
        if (option == 'v')
            puts("loud");
    return 0;
}
