#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

int main(void)
{
    union sigval value = {.sival_int = getchar()};
    struct signalfd_siginfo got;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int signals = signalfd(-1, &set, 0);
    if (signals < 0 || sigqueue(getpid(), SIGUSR1, value) || read(signals, &got, sizeof got) != sizeof got)
        return 1;
    puts(got.ssi_int == 'x' ? "stop" : "go");
    return 0;
}
