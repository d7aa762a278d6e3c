#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    int from[2], to[2];
    char sent = (char)getchar(), got = 0;
    struct iovec part = {&sent, 1};
    if (pipe(from) || pipe(to) || vmsplice(from[1], &part, 1, 0) != 1)
        return 1;
    if (tee(from[0], to[1], 1, 0) != 1 || read(to[0], &got, 1) != 1)
        return 2;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
