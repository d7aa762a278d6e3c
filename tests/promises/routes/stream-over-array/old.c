#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || !*argv[1])
        return 2;
    FILE *stream = fmemopen(argv[1], strlen(argv[1]), "r");
    int got = stream ? fgetc(stream) : EOF;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
