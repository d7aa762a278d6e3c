#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char got = 0;
    if (pipe(ends))
        return 1;
    long moved = splice(0, NULL, ends[1], NULL, 1, 0);
    if (moved == 1 && read(ends[0], &got, 1) != 1)
        return 2;
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
