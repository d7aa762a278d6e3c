// Conditions that arise in the library are shown where the program called it.
// TEST: args = ["Key", "-12x", "7"]
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
static int by_value(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(int argc, char **argv) {
    if (strcmp(argv[1], "Key") != 0) return 1;
    if (strncmp(argv[1], "Ke", 2) != 0) return 2;
    if (memcmp(argv[1], "K", 1) != 0) return 3;
    char *end;
    long number = strtol(argv[2], &end, 10);
    if (number != -12 || *end != 'x') return 4;
    if (!isdigit((unsigned char)argv[3][0])) return 5;
    if (toupper((unsigned char)argv[1][1]) != 'E') return 6;
    char sorted[3] = {argv[1][0], argv[1][1], argv[1][2]};
    qsort(sorted, 3, 1, by_value);
    if (sorted[0] != 'K') return 7;
    if (strchr(argv[1], 'y') == NULL) return 8;
    return atoi(argv[3]);
}
