#include <stdio.h>

/* Accepts a three-letter permission string such as "rw-" and says what it allows. */
int main(int argc, char **argv)
{
    if (argc != 2 || !argv[1][0] || !argv[1][1] || !argv[1][2] || argv[1][3]) {
        puts("usage: perm RWX");
        return 2;
    }
    const char *p = argv[1];

    if (p[1] == 'w' || p[2] == 'x' || p[0] == 'r') {
        if (p[1] != 'w' || p[0] != 'r')
            puts("partly allowed");
        else
            puts("read and write");
    } else {
        puts("nothing allowed");
    }

    if (p[2] != 'x' || p[1] != 'w')
        puts("safe");
    else
        puts("writable and executable");
    return 0;
}
