#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    char *value = strchr(argv[1], '=');
    char first = *value;
    puts(value ? "set" : "show");
    return 0;
}
