#include <stdio.h>
#include <string.h>

static char line[32];

static void copy(char *restrict to, const char *restrict from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

int main(void)
{
    if (!fgets(line, 16, stdin))
        return 1;
    copy(line + 1, line, 8);
    puts(line);
    return 0;
}
