#include <stdio.h>
#include <string.h>

static const char *const names[] = {"go", "quit", "stop"};

int main(int argc, char **argv)
{
    int found = 0;
    for (int i = 0; i < 3; i++)
        found |= argc > 1 && strcmp(argv[1], names[i]) == 0;
    puts(found ? "known" : "unknown");
    return 0;
}
