// A function to fuzz is a program: our main gives it standard input, in this build and in any.
// TEST: stdin = "FUZ"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3) return 0; // CHECK: @ stdin.len >=u 3
    if (data[0] == 'F' && data[2] == 'Z') exit(3); // CHECK: @ stdin[0] == 'F'
    return 0;
}
// CHECK: stdin[2] == 'Z'
// CHECK: nothing was approximated
