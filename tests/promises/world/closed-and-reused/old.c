#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char got = 0;
    close(0);
    int file = open("data", O_RDONLY);
    if (read(0, &got, 1) < 0)
        return 1;
    puts(got == 'x' ? "stop" : "go");
    return file > 9;
}
