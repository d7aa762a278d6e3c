#include <stdio.h>
#include <stdlib.h>

// Numbers of several digits, which no number of the first test leads to digit by digit.
int main(int argc, char **argv) {
    char line[64];
    int height = argc > 1 ? atoi(argv[1]) : 0;
    if (height == 31337) puts("high");
    if (height == -4711) puts("low");
    int first, second;
    if (fgets(line, sizeof line, stdin) && sscanf(line, "size %d x %d", &first, &second) == 2) {
        if (first > 5000 && second == first + 777) puts("large");
    }
    return 0;
}
