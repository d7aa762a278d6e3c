#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    puts(argc > 1 && strlen(argv[1]) == 2 ? "stop" : "go");
    return 0;
}
