// Other ways to start programs and to have several stacks.
// TEST: args = ["c"]
// TEST: args = ["v"]
// TEST: args = ["p"]
// TEST: args = ["s"]
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
extern char **environ;
static ucontext_t first, second;
static char stack[65536], *text;
static int total;
static void body(void) {
    for (int i = 0; i < 5; i++) {
        char room[32];
        room[i] = text[0];
        total += room[i] == 'c';
        swapcontext(&second, &first);
    }
}
int main(int argc, char **argv) {
    int status = 0;
    pid_t child;
    char *words[] = {"sh", "-c", "exit 6", NULL};
    text = argv[1];
    switch (text[0]) {
    case 'c':
        getcontext(&second);
        second.uc_stack.ss_sp = stack;
        second.uc_stack.ss_size = sizeof stack;
        makecontext(&second, body, 0);
        for (int i = 0; i < 5; i++) swapcontext(&first, &second);
        return total;
    case 'v':
        child = vfork();
        if (child == 0) execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
        waitpid(child, &status, 0);
        break;
    case 'p': {
        char line[64];
        FILE *pipe = popen("echo hello", "r");
        if (!fgets(line, sizeof line, pipe)) return 8;
        fputs(line, stdout);
        return pclose(pipe);
    }
    case 's':
        if (posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ)) return 7;
        waitpid(child, &status, 0);
        break;
    }
    return WEXITSTATUS(status);
}
// CHECK: exit status 5
// CHECK: (arg[1][0] == 'c') + (arg[1][0] == 'c')
// CHECK: not modelled: swapcontext
// CHECK: exit status 4
// CHECK: 1 child processes that were not traced
// CHECK: exit status 0
// CHECK: "hello\n"
// CHECK: exit status 6
