#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char name[] = "X_?";
    if (argc > 1)
        name[2] = argv[1][0];
    puts(argc > 1 && name[2] == 'q' ? "unset" : argc > 1 && getenv(name) ? "set" : "unset");
    return 0;
}
