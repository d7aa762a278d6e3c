#include <stdio.h>

int main(int argc, char **argv)
{
    int value = 0, end = 0;
    if (argc > 1)
        sscanf(argv[1], "%d %n", &value, &end);
    puts(end == 60 ? "stop" : "go");
    return 0;
}
