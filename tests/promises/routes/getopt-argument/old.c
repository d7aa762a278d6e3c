#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int option, mode = 0;
    opterr = 0;
    while ((option = getopt(argc, argv, "m:")) != -1)
        if (option == 'm')
            mode = optarg[0];
    puts(mode == 'x' ? "stop" : "go");
    return 0;
}
