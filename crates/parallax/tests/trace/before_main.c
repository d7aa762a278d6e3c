// Static initialisers and constructors have run before the inputs are there.
// TEST: args = ["3"]
#include <stdio.h>
static int table[4] = {[2] = 7, [3] = 9};
static int *const pointer = &table[3];
static int constructed;
__attribute__((constructor)) static void construct(void) { constructed = *pointer; }
__attribute__((destructor)) static void destruct(void) { puts("bye"); }
int main(int argc, char **argv) {
    if (table[argv[1][0] - '0'] == constructed) return 1; // CHECK: @ load32(
    return 2;
}
// CHECK: before_main.c:8 "bye"
