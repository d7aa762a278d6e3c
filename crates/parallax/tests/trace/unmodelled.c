// Functions without a model are counted by name; arguments are pinned, results concrete.
// TEST: args = ["z"]
#include <stdlib.h>
#include <unistd.h>
extern char *ecvt(double, int, int *, int *);
int main(int argc, char **argv) {
    int point = argv[1][0], sign = argv[1][0];
    char *digits = ecvt(argv[1][0], 3, &point, &sign);
    if (point != 3 || digits[0] != '1') return 1;
    int (*volatile function)(int) = isatty;
    if (function(argv[1][0])) return 2;
    return 3;
}
// CHECK: exit status 3
// CHECK: unmodelled.c:8 f64_of_i8(arg[1][0]) == 0x405e800000000000 (pin)
// CHECK: unmodelled.c:11 arg[1][0] == 'z' (pin)
// CHECK: not modelled: (a function pointer) unmodelled.c:11
// CHECK: not modelled: ecvt unmodelled.c:8
