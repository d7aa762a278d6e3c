#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] != '-') {
        puts("mode: default");
        return 0;
    }
    char c = argv[1][1];
    int level;

    if (c == 'q' || c == 's')
        level = 0;
    else if (c == 'v')
        level = 2;
    else if (c == 'd' || c == 'D' || c == 'x')
        level = 3;
    else if (c >= '0' && c <= '3')
        level = c - '0';
    else if (c == '\0')
        level = 1;
    else
        level = -1;

    if (level < 0) {
        puts("mode: unknown option");
        return 2;
    }
    printf("mode: level %d\n", level);
    return level == 3;
}
