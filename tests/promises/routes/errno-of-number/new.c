#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    errno = 0;
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    puts(errno ? "bad" : "fine");
    return n == 5;
}
