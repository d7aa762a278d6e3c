#include <stdio.h>

int main(void)
{
    char line[2] = "";
    if (!fgets(line, sizeof line, stdin))
        return 1;
    puts(line[0] == 'x' ? "stop" : "go");
    return 0;
}
