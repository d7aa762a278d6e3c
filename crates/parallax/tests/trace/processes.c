// Children are not traced, and counted; what the parent does is.
// TEST: args = ["f"]
// TEST: args = ["b"]
// TEST: args = ["e"]
// TEST: args = ["s"]
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int status = 0;
    switch (argv[1][0]) {
    case 'f':
        if (fork() == 0) _exit(argv[1][1] == 0 ? 3 : 4);
        wait(&status);
        break;
    case 'b':
        for (int i = 0; i < 4; i++) fork();
        while (wait(&status) > 0) continue;
        break;
    case 'e':
        execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
        return 1;
    case 's': status = system("exit 5"); break;
    }
    if (argv[1][1] != 0) return 2;
    return WEXITSTATUS(status);
}
// CHECK: exit status 3
// CHECK: arg[1][1] == 0
// CHECK: 1 child processes that were not traced
// CHECK: exit status 0
// CHECK: 15 child processes that were not traced
// CHECK: exit status 9
// CHECK: arg[1][0] == 'e'
// CHECK: exit status 5
// CHECK: arg[1][1] == 0
