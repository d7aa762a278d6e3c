#include <stdio.h>
#include <stdlib.h>

// Numbers of several digits, which no number of the first test leads to digit by digit.
int main(int argc, char **argv) {
    int height = argc > 1 ? atoi(argv[1]) : 0, width = argc > 2 ? atoi(argv[2]) : 0;
    if (height == 31337) puts("high");
    if (height == -4711) puts("low");
    if (height > 5000 && width == height + 777) puts("large");
    int weight;
    if (scanf("%d", &weight) == 1 && weight == 271828) puts("heavy");
    return 0;
}
