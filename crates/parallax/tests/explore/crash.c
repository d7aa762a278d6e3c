// A word that crashes the program.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *text = argc > 9 ? argv[9] : 0;
    if (argc > 1 && strcmp(argv[1], "magic") == 0)
        putchar(*text);
    return 0;
}
