// Arguments grow: the byte that ends one is symbolic, so is argc, and argv[argc] depends on it.
// TEST: args = ["ab"]
// TEST: args = []
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc > 2) return 9; // CHECK: @ argc <= 2
    if (argv[1] == NULL) return 8; // CHECK: @ argc >u 1
    int length = 0;
    while (argv[1][length]) length++;
    if (argv[argc] != NULL) return 7;
    return length;
}
// CHECK: arg[1][0] != 0
// CHECK: arg[1][1] != 0
// CHECK: arg[1][2] == 0
// CHECK: argc == 2 (pin)
// CHECK: $ arguments < /dev/null
// CHECK: exit status 8
// CHECK: argc <=u 1
// CHECK: nothing was approximated
