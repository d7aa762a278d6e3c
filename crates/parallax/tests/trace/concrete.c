// A program without any input has no path condition, and prints what it prints.
// TEST: args = []
#include <stdio.h>
int main(void) {
    for (int i = 0; i < 3; i++) printf("%d\n", i * i);
    return 7;
}
// CHECK: exit status 7
// CHECK: no branch depended on the input
// CHECK: "0\n"
// CHECK: "4\n"
// CHECK: nothing was approximated
