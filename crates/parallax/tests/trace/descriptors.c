// A program that closes or reuses all its descriptors does not close the trace.
// TEST: args = ["k"]
// TEST: args = ["d"]
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    if (argv[1][0] == 'd') {
        int other = dup(1);
        for (int i = 3; i < 250; i++) if (i != other) dup2(other, i);
        write(240, "dup\n", 4);
        return argv[1][1] == 0 ? 5 : 6;
    }
    for (int i = 0; i < 1024; i++) close(i);
    if (open("made", O_CREAT | O_WRONLY, 0600) != 0) return 1;
    if (argv[1][0] == 'k') return 7;
    return 8;
}
// CHECK: exit status 7
// CHECK: arg[1][0] == 'k'
// CHECK: exit status 5
// CHECK: descriptor 240
// CHECK: "dup\n"
// CHECK: arg[1][1] == 0 ? 5 : 6
