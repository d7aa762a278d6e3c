#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
        close(ends[0]);
        close(ends[1]);
    }
    puts(c == 'x' ? "stop" : "go");
    return 0;
}
