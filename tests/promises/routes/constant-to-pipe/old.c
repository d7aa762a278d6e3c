#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    struct iovec part = {"a", 1};
    int c = getchar(), ends[2];
    if (pipe(ends))
        return 1;
    long sent = vmsplice(ends[1], &part, 1, 0);
    puts(sent == 1 && c > 'x' ? "stop" : "go");
    return 0;
}
