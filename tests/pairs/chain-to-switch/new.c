#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] != '-') {
        puts("mode: default");
        return 0;
    }
    int level = 0;

    switch (argv[1][1]) {
    case 'D':
    case 'd':
    case 'x':
    case '3':
        level++;
        /* fall through */
    case 'v':
    case '2':
        level++;
        /* fall through */
    case '\0':
    case '1':
        level++;
        /* fall through */
    case '0':
    case 'q':
    case 's':
        break;
    default:
        puts("mode: unknown option");
        return 2;
    }
    printf("mode: level %d\n", level);
    return level == 3;
}
