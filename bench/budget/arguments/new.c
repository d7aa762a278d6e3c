/* The same with the loop from the other end of the condition. */
#include <stdio.h>
#include <stdlib.h>

static int f(int x, int y, int z) {
    int r = 0, i = 0;
    while (i < x) {
        int rest = (i ^ y) % 3;
        r += rest ? -(z / (i + 1)) : i * y;
        for (; r > 1000; r = z + r / 2) continue;
        ++i;
    }
    return -x + r * r;
}

int main(int argc, char **argv) {
    if (argc != 4) return 1;
    printf("%d\n", f(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
    return 0;
}
