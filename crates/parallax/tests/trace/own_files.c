// Input that the program changes itself, another directory, a closed standard input, _exit.
// TEST: args = ["w"], files = { data = "abc" }
// TEST: args = ["c"], files = { "sub/data" = "xyz" }
// TEST: args = ["i"], stdin = "zzz"
// TEST: args = ["e"]
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char byte = 0;
    int file;
    switch (argv[1][0]) {
    case 'w':
        file = open("data", O_RDWR);
        write(file, "Q", 1);
        lseek(file, 0, SEEK_SET);
        read(file, &byte, 1);
        return byte == 'Q' ? 1 : 2;
    case 'c':
        if (chdir("sub") != 0) return 3;
        file = open("data", O_RDONLY);
        return read(file, &byte, 1) == 1 && byte == 'x' ? 4 : 5;
    case 'i':
        close(0);
        return read(0, &byte, 1) < 0 && getchar() == EOF ? 6 : 7;
    case 'e':
        printf("lost");
        _exit(argv[1][1] == 0 ? 8 : 9);
    }
    return 10;
}
// CHECK: exit status 1
// CHECK: file:data.exists
// CHECK: "Q"
// CHECK: inputs read after they were written own_files.c:16 own_files.c:17
// CHECK: exit status 4
// CHECK: file:sub/data.exists
// CHECK: file:sub/data[0] == 'x' ? 4 : 5
// CHECK: exit status 6
// CHECK: exit status 8
// CHECK: arg[1][1] == 0 ? 8 : 9
