// A small program, for the number of traced runs in a second.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--help") == 0) puts("usage");
    else if (argc > 1 && argv[1][0] == '-') puts("option");
    else puts("nothing");
    return argc > 2;
}
