// Arrays of variable length and alloca: their sizes are pinned, their contents symbolic.
// TEST: args = ["8", "k"]
#include <alloca.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int size = argv[1][0] - '0';
    char array[size]; // CHECK: @ arg[1][0] == '8' (pin)
    array[size - 1] = argv[2][0];
    char *more = alloca(size);
    memcpy(more, array, size);
    if (more[7] != 'k') return 1; // CHECK: @ arg[2][0] == 'k'
    char *heap = malloc(size);
    heap[0] = argv[2][0];
    heap = realloc(heap, size * 100);
    if (heap[0] != 'k') return 2;
    // A loop's array is a new one each time round.
    long total = 0;
    for (int i = 0; i < 2000000; i++) {
        char again[size];
        again[0] = (char)i;
        __asm__ volatile("" : : "r"(again) : "memory");
        total += again[0];
    }
    return total == 0;
}
// CHECK-NOT: killed
