#include <stdio.h>
#include <string.h>

static char line[32];

int main(void)
{
    if (!fgets(line, 16, stdin))
        return 1;
    memmove(line + 1, line, 8);
    puts(line);
    return 0;
}
