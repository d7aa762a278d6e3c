#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int mode = 0;
    opterr = 0;
    if (argc == 2)
        mode = getopt(argc, argv, "m");
    puts(mode != 'm' ? "go" : "stop");
    return 0;
}
