#include <stdio.h>
#include <unistd.h>

int opterr = 0;

int main(int argc, char **argv)
{
    for (int option; (option = getopt(argc, argv, "ab")) != -1;)
        putchar(option);
    return 0;
}
