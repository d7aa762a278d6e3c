// A crash ends the run as it ends the program; what led to it can be read.
// TEST: args = ["null"]
// TEST: args = ["wild"]
// TEST: args = ["abort"]
// TEST: args = ["deep"]
// TEST: args = ["zero"]
// TEST: args = ["assert"]
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int zero;
static int deeper(int *level) { int here[100]; here[*level % 100] = *level; *level += 1; return deeper(level) + here[*level % 100]; }
int main(int argc, char **argv) {
    int *volatile pointer = NULL;
    puts("before");
    fflush(stdout);
    int level = 0;
    switch (argv[1][0]) {
    case 'n': return *pointer;
    case 'w': pointer = (int *)0x4141414141414141; *pointer = 1; break;
    case 'a':
        if (argv[1][1] == 'b') abort();
        assert(argv[1][1] == 'b');
        break;
    case 'd': return deeper(&level);
    case 'z': return argc / zero;
    }
    return 0;
}
// CHECK: killed by SIGSEGV
// CHECK: arg[1][0] == 'n'
// CHECK: "before"
// CHECK: killed by SIGSEGV
// CHECK: arg[1][0] == 'w'
// CHECK: killed by SIGABRT
// CHECK: arg[1][1] == 'b'
// CHECK: killed by SIGSEGV
// CHECK: arg[1][0] == 'd'
// CHECK: killed by SIGFPE
// CHECK: arg[1][0] == 'z'
// CHECK: killed by SIGABRT
// CHECK: arg[1][1] != 'b'
// CHECK: Assertion
