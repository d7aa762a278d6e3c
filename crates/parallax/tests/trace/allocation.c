// A symbolic size is pinned where memory is allocated or copied; what is in the memory is symbolic.
// TEST: args = ["5abcdefg"]
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    size_t size = argv[1][0] - '0';
    char *memory = malloc(size); // CHECK: @ arg[1][0] == '5' (pin)
    memcpy(memory, argv[1] + 1, size);
    char *larger = calloc(size, 2);
    memmove(larger, memory, size);
    larger = realloc(larger, 4096);
    free(memory);
    if (larger[4] != 'e') return 1; // CHECK: @ arg[1][5] == 'e'
    if (larger[5] != 0) return 2;
    return 0;
}
