#include <signal.h>
#include <stdio.h>

static volatile int got;

static void take(int number)
{
    got = number;
}

int main(void)
{
    signal(SIGUSR1, take);
    signal(SIGUSR2, take);
    int c = getchar();
    raise(c == 'q' ? SIGUSR2 : SIGUSR1);
    puts(got == SIGINT ? "stop" : "go");
    return 0;
}
