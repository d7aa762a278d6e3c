#include <stdio.h>

/* Accepts a three-letter permission string such as "rw-" and says what it allows. */
int main(int argc, char **argv)
{
    if (argc != 2 || !argv[1][0] || !argv[1][1] || !argv[1][2] || argv[1][3]) {
        puts("usage: perm RWX");
        return 2;
    }
    const char *p = argv[1];
    int r = p[0] == 'r';
    int w = p[1] == 'w';
    int x = p[2] == 'x';

    if (!(r || x) && !w)
        puts("nothing allowed");
    else if (!(r && w))
        puts("partly allowed");
    else
        puts("read and write");

    if (!(w && x))
        puts("safe");
    else
        puts("writable and executable");
    return 0;
}
