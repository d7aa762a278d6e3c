// A symbolic index reads and writes the whole object, and has to stay in it.
// TEST: args = ["3", "1"]
// TEST: args = ["9", "1"]
#include <stdlib.h>
static const int table[] = {5, 6, 7, 8};
int main(int argc, char **argv) {
    int local[4] = {0};
    unsigned index = argv[1][0] - '0';
    local[argv[2][0] - '0'] = 42;
    if (index < 4 && table[index] == 8) return local[1];
    char *heap = malloc(16);
    heap[index] = 'x';
    if (heap[9] == 'x') return 2;
    return 3;
}
