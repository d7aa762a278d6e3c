#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[512] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
    size_t first = strlen(line) + 1;
    char got = first < length ? line[first] : 0;
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
