#include <stdio.h>
#include <stdlib.h>

/* Three branches; only one way through them leads to the middle of the
   third one. */
int main(int argc, char **argv)
{
    int x, y, z = 0;

    if (argc != 3) {
        printf("usage: three X Y\n");
        return 2;
    }
    x = atoi(argv[1]);
    y = atoi(argv[2]);
    if (x > 40)
        y = y - x;
    else
        y = 0;
    if (y > 17) {
        x = x % 16;
        if (x == 11)
            z = y + 2;
    }
    if (z > 100)
        printf("high\n");
    else
        printf("low\n");
    return 0;
}
