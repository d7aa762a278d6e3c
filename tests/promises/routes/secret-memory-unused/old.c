#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    int secret = (int)syscall(SYS_memfd_secret, 0);
    (void)secret;
    puts(c > 'x' ? "stop" : "go");
    return 0;
}
