#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int mode = 0;
    opterr = 0;
    if (argc == 2 && getopt(argc, argv, "m") == 'm')
        mode = 1;
    puts(mode ? "stop" : "go");
    return 0;
}
