// A third line of standard input.
#include <stdio.h>

int main(void)
{
    char line[64];
    int count = 0;
    while (fgets(line, sizeof line, stdin))
        count++;
    if (count == 3)
        puts("three");
    return 0;
}
