// Programs that catch SIGSEGV, leave handlers by longjmp, use alarms or another stack go on.
// TEST: args = ["s"]
// TEST: args = ["a"]
// TEST: args = ["o"]
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static sigjmp_buf back;
static volatile sig_atomic_t ticks;
static void leave(int number) { siglongjmp(back, number); }
static void tick(int number) { ticks++; }
static int endless(int *n) { int here[50]; here[*n % 50] = ++*n; return endless(n) + here[3]; }
int main(int argc, char **argv) {
    int n = 0;
    switch (argv[1][0]) {
    case 's':
        signal(SIGSEGV, leave);
        if (sigsetjmp(back, 1) == 0) *(volatile int *)8 = 1;
        break;
    case 'a':
        signal(SIGALRM, tick);
        ualarm(1000, 1000);
        while (ticks < 5) n += argv[1][1];
        ualarm(0, 0);
        break;
    case 'o': {
        stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
        struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
        sigaltstack(&stack, NULL);
        sigaction(SIGSEGV, &action, NULL);
        if (sigsetjmp(back, 1) == 0) return endless(&n);
        break;
    }
    }
    return argv[1][1] == 0 ? 4 : 5;
}
// CHECK: exit status 4
// CHECK: arg[1][0] == 's'
// CHECK: arg[1][1] == 0 ? 4 : 5
// CHECK: exit status 4
// CHECK: arg[1][0] == 'a'
// CHECK: exit status 4
// CHECK: arg[1][0] == 'o'
// CHECK: arg[1][1] == 0 ? 4 : 5
