#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    static char page[4096] __attribute__((aligned(4096)));
    struct iovec part = {page, 1};
    char got = 0;
    int ends[2];
    page[0] = (char)getchar();
    if (pipe(ends) || vmsplice(ends[1], &part, 1, 0) != 1 || read(ends[0], &got, 1) != 1)
        return 1;
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
