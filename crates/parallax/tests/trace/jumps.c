// longjmp and signals leave functions in the middle: labels stay right.
// TEST: args = ["jk"]
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
static jmp_buf back;
static sigjmp_buf away;
static volatile sig_atomic_t handled;
static char *text;
static void leave(int value) { char room[64]; room[0] = text[1]; longjmp(back, value + (room[0] == 'k')); } // CHECK: @ arg[1][1] == 'k' (pin)
static void handle(int number) { handled = number == SIGUSR1 && text[0] == 'j'; }
static void escape(int number) { siglongjmp(away, number); }
int main(int argc, char **argv) {
    text = argv[1];
    volatile int kept = argv[1][0];
    int came = setjmp(back);
    if (came == 0) leave(4);
    if (came != 5) return 1;
    if (kept != 'j') return 2; // CHECK: @ arg[1][0] == 'j'
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    if (!handled) return 3;
    for (volatile int i = 0; i < 20000; i++) if (setjmp(back) == 0) leave(0);
    signal(SIGUSR2, escape);
    for (volatile int i = 0; i < 100; i++) if (sigsetjmp(away, 1) == 0) raise(SIGUSR2);
    if (text[1] != 'k') return 4;
    return 0;
}
// CHECK-NOT: killed
// CHECK-NOT: beyond the limit
