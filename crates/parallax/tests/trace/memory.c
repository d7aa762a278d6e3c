// Large and unusual memory: a big heap, big arrays, mappings at fixed and at low addresses.
// TEST: args = ["h"]
// TEST: args = ["s"]
// TEST: args = ["f"]
// TEST: args = ["l"]
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static int large_frame(char c) { char array[4 << 20]; memset(array, c, sizeof array); return array[3 << 20]; }
int main(int argc, char **argv) {
    int read = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
    char *memory = MAP_FAILED;
    switch (argv[1][0]) {
    case 'h':
        memory = calloc(512 << 20, 1);
        if (!memory) return 1;
        for (size_t i = 0; i < 512 << 20; i += 64 << 20) memory[i] = 1;
        break;
    case 's':
        for (int i = 0; i < 3; i++) if (large_frame(argv[1][0]) != 's') return 2;
        return 3;
    case 'f': memory = mmap((void *)0x600000000000, 8192, read, flags | MAP_FIXED, -1, 0); break;
    case 'l': memory = mmap(NULL, 8192, read, flags | MAP_32BIT, -1, 0); break;
    }
    if (memory == MAP_FAILED) return 4;
    memory[100] = argv[1][0];
    memory[101] = 'x';
    if (memory[100] == argv[1][0] && argv[1][1] == 0) return 6;
    return 7;
}
// CHECK: exit status 6
// CHECK: arg[1][1] == 0
// CHECK: exit status 3
// CHECK: exit status 6
// CHECK: arg[1][1] == 0
// CHECK: exit status 6
// CHECK: arg[1][1] == 0
