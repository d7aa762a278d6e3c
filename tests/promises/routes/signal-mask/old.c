#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>

int main(void)
{
    sigset_t set, got;
    int c = getchar();
    sigemptyset(&set);
    sigaddset(&set, c == 'q' ? SIGUSR2 : SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    sigprocmask(SIG_BLOCK, NULL, &got);
    puts(sigismember(&got, SIGHUP) ? "stop" : "go");
    return 0;
}
