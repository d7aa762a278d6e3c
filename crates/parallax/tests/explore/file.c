// A file that an argument names.
#include <stdio.h>

int main(int argc, char **argv)
{
#ifdef CHECKED
    if (argc < 2 || argv[1][0] == '\0')
        return 2;
#endif
    FILE *file = argc > 1 ? fopen(argv[1], "r") : 0;
    if (!file)
        return 1;
    if (fgetc(file) == 'P' && fgetc(file) == 'X')
        puts("found");
    fclose(file);
    return 0;
}
