#include <stdio.h>
#include <sys/timerfd.h>

int main(void)
{
    int c = getchar();
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    puts(timer >= 0 && c > 'x' ? "stop" : "go");
    return 0;
}
