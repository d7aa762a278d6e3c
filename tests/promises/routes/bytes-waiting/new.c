#include <stdio.h>
#include <sys/ioctl.h>

int main(void)
{
    int waiting = 0;
    ioctl(0, FIONREAD, &waiting);
    puts(waiting == 5 ? "stop" : "go");
    return 0;
}
