// A symbolic index reads and writes the whole object, and has to stay in it.
// TEST: args = ["3", "1"]
// TEST: args = ["9", "1"]
#include <stdlib.h>
static const int table[] = {5, 6, 7, 8};
int main(int argc, char **argv) {
    int local[4] = {0};
    unsigned index = argv[1][0] - '0';
    local[argv[2][0] - '0'] = 42; // CHECK: @ (i64)(i32((i32)arg[2][0] - 48) << 2) <=u 12 (bounds)
    if (index < 4 && table[index] == 8) return local[1]; // CHECK: @ (i32)arg[1][0] - 48 <u 4
    char *heap = malloc(16);
    heap[index] = 'x';
    if (heap[9] == 'x') return 2;
    return 3;
}
// CHECK: addresses.c:10 (i32)arg[1][0] - 48 <=u 3 (bounds)
// CHECK: load32(
// CHECK: arg[2][0] == '1' ? 42 : 0
// CHECK: exit status 2
// CHECK: addresses.c:12 (i32)arg[1][0] - 48 <=u 15 (bounds)
// CHECK: arg[1][0] == '9'
