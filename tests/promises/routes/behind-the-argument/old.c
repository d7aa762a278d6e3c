#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    char behind = argv[1][strlen(argv[1]) + 1];
    puts(behind == 'x' ? "stop" : "go");
    return 0;
}
