#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char got = 0;
    int file = open("/proc/self/fd/0", O_RDONLY);
    if (file < 0 || read(file, &got, 1) < 0)
        return 1;
    if (got == 'q')
        return 4;
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
