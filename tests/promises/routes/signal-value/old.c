#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile int got;

static void take(int number, siginfo_t *about, void *context)
{
    got = about->si_value.sival_int;
}

int main(void)
{
    struct sigaction action = {0};
    union sigval value;
    action.sa_sigaction = take;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &action, NULL);
    value.sival_int = getchar();
    if (sigqueue(getpid(), SIGUSR1, value))
        return 1;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
