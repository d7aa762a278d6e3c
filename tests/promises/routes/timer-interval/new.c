#include <stdio.h>
#include <sys/timerfd.h>

int main(void)
{
    int c = getchar() & 255;
    struct itimerspec set = {{c + 1, 0}, {1000, 0}}, got;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    if (timer < 0 || timerfd_settime(timer, 0, &set, NULL) || timerfd_gettime(timer, &got))
        return 1;
    long said = got.it_interval.tv_sec - 1;
    if (said == 'q')
        return 4;
    puts(said == 'x' ? "stop" : "go");
    return 0;
}
