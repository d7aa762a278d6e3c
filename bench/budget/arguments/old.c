/* Small integers as arguments, as public benchmarks of equivalence have them. */
#include <stdio.h>
#include <stdlib.h>

static int f(int x, int y, int z) {
    int r = 0;
    for (int i = 0; i < x; i++) {
        if ((i ^ y) % 3 == 0) r += y * i;
        else r -= z / (i + 1);
        while (r > 1000) r = r / 2 + z;
    }
    return r * r - x;
}

int main(int argc, char **argv) {
    if (argc != 4) return 1;
    printf("%d\n", f(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
    return 0;
}
