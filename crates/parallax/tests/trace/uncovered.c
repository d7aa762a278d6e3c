// Operations without expressions are counted where they occur: assembler, vectors, atomics, foreign code.
// TEST: args = ["ab"]
#include <math.h>
#include <stdlib.h>
typedef int four __attribute__((vector_size(16)));
int main(int argc, char **argv) {
    int result = argv[1][0];
    __asm__("addl $1, %0" : "+r"(result));
    four lanes = {argv[1][0], 2, 3, 4};
    lanes += lanes;
    result += lanes[0];
    static _Atomic int counter;
    counter += argv[1][1];
    if (lgamma(argv[1][1]) > 1.0) result++;
    return result & 7;
}
// CHECK: inline assembler uncovered.c:8
// CHECK: symbolic values in vectors uncovered.c:9
// CHECK: symbolic values in atomic operations uncovered.c:13
