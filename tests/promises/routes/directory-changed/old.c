#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char where[512] = "";
    if (argc > 1 && chdir(argv[1]) == 0)
        getcwd(where, sizeof where);
    size_t length = strlen(where);
    puts(length > 500 ? "stop" : "go");
    return 0;
}
