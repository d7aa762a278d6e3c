#include <stdio.h>

int main(int argc, char **argv)
{
    puts(argc == 0 ? "nameless" : "run");
    return 0;
}
