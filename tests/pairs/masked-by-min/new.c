#include <stdio.h>
#include <stdlib.h>

static long min(long a, long b)
{
    return a < b ? a : b;
}

static long max(long a, long b)
{
    return a > b ? a : b;
}

/* fee WEIGHT DISTANCE [MEMBER] */
int main(int argc, char **argv)
{
    long weight, dist, fee;

    if (argc < 3)
        return 0;
    weight = strtol(argv[1], NULL, 10);
    dist = strtol(argv[2], NULL, 10);
    if (weight < 1 || weight > 5000 || dist < 1 || dist > 20000) {
        printf("cannot carry that\n");
        return 1;
    }
    fee = weight / 100 * 12 + dist / 260;
    fee = max(fee, 350);
    fee = min(fee, 360);
    if (argc > 3 && argv[3][0] == 'm')
        fee = 300;
    printf("fee %ld\n", fee);
    return 0;
}
