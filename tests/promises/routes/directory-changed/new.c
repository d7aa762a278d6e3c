#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char where[512] = "";
    if (argc > 1 && chdir(argv[1]) == 0)
        getcwd(where, sizeof where);
    size_t length = strlen(where);
    if (length > 1 && strcmp(where + length - 2, "/q") == 0)
        return 4;
    puts(length > 500 ? "stop" : "go");
    return 0;
}
