#include <stdio.h>
#include <unistd.h>

int opterr = 1;

int main(int argc, char **argv)
{
    for (int option; (option = getopt(argc, argv, "ab")) != -1;)
        putchar(option);
    return 0;
}
