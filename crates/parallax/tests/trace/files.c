// A file that an argument names is there or not; its bytes and its length are symbolic.
// TEST: args = ["in"], files = { in = "abc" }
// TEST: args = ["in"]
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
    FILE *stream = fopen(argv[1], "r");
    if (!stream) return 1;
    if (getc(stream) != 'a') return 2;
    fclose(stream);
    int file = open(argv[1], O_RDONLY);
    struct stat status;
    fstat(file, &status);
    if (status.st_size < 2) return 3;
    if (lseek(file, 0, SEEK_END) > 8) return 4;
    char byte;
    if (pread(file, &byte, 1, 1) == 1 && byte == 'b') byte = 0;
    char *map = mmap(NULL, 3, PROT_READ, MAP_PRIVATE, file, 0);
    if (map != MAP_FAILED && map[2] == 'c') return 5;
    return 6;
}
