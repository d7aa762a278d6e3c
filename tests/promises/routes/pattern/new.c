#include <fnmatch.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int match = argc > 1 && fnmatch("[sq]*[pt]", argv[1], 0) == 0;
    puts(match ? "stop" : "go");
    return 0;
}
