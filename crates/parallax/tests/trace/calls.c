// Labels travel through the program's own variadic functions, pointers to functions and recursion.
// TEST: args = ["abc"]
#include <stdarg.h>
static int sum(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    int total = 0;
    for (int i = 0; i < count; i++) total += va_arg(list, int);
    double last = 0;
    for (int i = 0; i < count; i++) va_arg(again, int);
    last = va_arg(again, double);
    va_end(list);
    va_end(again);
    return total + (int)last;
}
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int depth(const char *text) { return *text ? 1 + depth(text + 1) : 0; }
int main(int argc, char **argv) {
    if (sum(2, argv[1][0], argv[1][1], (double)argv[1][2]) != 'a' + 'b' + 'c') return 1; // CHECK: @ (i32)arg[1][0] + (i32)arg[1][1] + i32_of_f64(f64_of_i8(arg[1][2])) == 294
    int (*volatile function)(int) = argc > 5 ? twice : thrice;
    if (function(argv[1][0]) != 291) return 2; // CHECK: @ argc <= 5 (pin)
    return depth(argv[1]);
}
// CHECK: arg[1][2] != 0
// CHECK: arg[1][3] == 0
// CHECK-NOT: not modelled
