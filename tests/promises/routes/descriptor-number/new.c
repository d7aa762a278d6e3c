#include <fcntl.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (fcntl(1, F_DUPFD, (c & 127) + 8) < 0)
        return 1;
    puts(fcntl('q' + 8, F_GETFD) >= 0 ? "stop" : "go");
    return 0;
}
