// Conditions that arise in the library are shown where the program called it.
// TEST: args = ["Key", "-12x", "7"]
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
static int by_value(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(int argc, char **argv) {
    if (strcmp(argv[1], "Key") != 0) return 1; // CHECK: @ strcmp arg[1][2] == 'y'
    if (strncmp(argv[1], "Ke", 2) != 0) return 2;
    if (memcmp(argv[1], "K", 1) != 0) return 3;
    char *end;
    long number = strtol(argv[2], &end, 10); // CHECK: @ strtol arg[2][0] == '-'
    if (number != -12 || *end != 'x') return 4; // CHECK: @ (i64)(arg[2][1] - 48) * 10 + (i64)(arg[2][2] - 48) == 12
    if (!isdigit((unsigned char)argv[3][0])) return 5; // CHECK: @ argc >u 3 (pin)
    if (toupper((unsigned char)argv[1][1]) != 'E') return 6; // CHECK: @
    char sorted[3] = {argv[1][0], argv[1][1], argv[1][2]};
    qsort(sorted, 3, 1, by_value); // CHECK: @ qsort (i32)arg[1][1] - (i32)arg[1][2] <= 0
    if (sorted[0] != 'K') return 7;
    if (strchr(argv[1], 'y') == NULL) return 8; // CHECK: @ strchr
    return atoi(argv[3]); // CHECK: @ atoi arg[3][0] - 48 <u 10
}
// CHECK: arg[3][1] - 48 >=u 10
// CHECK: exit status
// CHECK: arg[3][0] - 48
// CHECK-NOT: not modelled
