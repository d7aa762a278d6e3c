// Conditions that arise in the library are shown where the program called it.
// TEST: args = ["Key", "-12x", "7"]
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
static int by_value(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(int argc, char **argv) {
    if (strcmp(argv[1], "Key") != 0) return 1; // CHECK: @9 strcmp arg[1][2] == 'y'
    if (strncmp(argv[1], "Ke", 2) != 0) return 2;
    if (memcmp(argv[1], "K", 1) != 0) return 3;
    char *end;
    long number = strtol(argv[2], &end, 10); // CHECK: @19 strtol arg[2][0] == '-'
    if (number != -12 || *end != 'x') return 4; // CHECK: @23 (i64)(arg[2][1] - 48) * 10 + (i64)(arg[2][2] - 48) == 12
    if (!isdigit((unsigned char)argv[3][0])) return 5; // CHECK: @10 argc >u 3 (pin)
    if (toupper((unsigned char)argv[1][1]) != 'E') return 6; // CHECK: @9
    char sorted[3] = {argv[1][0], argv[1][1], argv[1][2]};
    qsort(sorted, 3, 1, by_value); // CHECK: @5 qsort (i32)arg[1][1] - (i32)arg[1][2] <= 0
    if (sorted[0] != 'K') return 7;
    if (strchr(argv[1], 'y') == NULL) return 8; // CHECK: @9 strchr
    return atoi(argv[3]); // CHECK: @12 atoi arg[3][0] - 48 <u 10
}
// CHECK: arg[3][1] - 48 >=u 10
// CHECK: exit status
// CHECK: arg[3][0] - 48
// CHECK-NOT: not modelled
