#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    char sent = (char)getchar(), got = 0;
    int file = memfd_create("room", 0);
    if (file < 0 || write(file, &sent, 1) != 1 || pread(file, &got, 1, 0) != 1)
        return 1;
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
