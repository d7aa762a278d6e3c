// A file that an argument names is there or not; its bytes and its length are symbolic.
// TEST: args = ["in"], files = { in = "abc" }
// TEST: args = ["in"]
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
    FILE *stream = fopen(argv[1], "r"); // CHECK: @ arg[1][0] == 'i' (pin)
    if (!stream) return 1;
    if (getc(stream) != 'a') return 2; // CHECK: file:in.exists
    fclose(stream);
    int file = open(argv[1], O_RDONLY);
    struct stat status;
    fstat(file, &status);
    if (status.st_size < 2) return 3; // CHECK: @ file:in.len >= 2
    if (lseek(file, 0, SEEK_END) > 8) return 4; // CHECK: @ file:in.len <= 8
    char byte;
    if (pread(file, &byte, 1, 1) == 1 && byte == 'b') byte = 0; // CHECK: @ pread file:in.len >u 1
    char *map = mmap(NULL, 3, PROT_READ, MAP_PRIVATE, file, 0);
    if (map != MAP_FAILED && map[2] == 'c') return 5; // CHECK: @ file:in[2] == 'c'
    return 6;
}
// CHECK: $ files in
// CHECK: exit status 1
// CHECK: !file:in.exists
