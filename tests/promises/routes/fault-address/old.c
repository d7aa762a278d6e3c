#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

static sigjmp_buf again;
static volatile uintptr_t got;

static void take(int number, siginfo_t *about, void *context)
{
    got = (uintptr_t)about->si_addr;
    siglongjmp(again, 1);
}

int main(void)
{
    struct sigaction action = {0};
    action.sa_sigaction = take;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
    volatile char *at = (volatile char *)(uintptr_t)(getchar() & 255);
    if (sigsetjmp(again, 1) == 0)
        (void)*at;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
