#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>

static int coin(void)
{
    unsigned char byte = 0;
    int fd = open("/dev/urandom", O_RDONLY);
    if (fd < 0)
        return 0;
    if (read(fd, &byte, 1) != 1)
        byte = 1;
    close(fd);
    return byte % 2;
}

int main(void)
{
    unsigned sum = 0;
    for (;;) {
        int c = getchar();
        if (c == EOF)
            break;
        sum += (unsigned)c;
    }
    printf("sum %u\n", sum & 15);
    puts(coin() ? "heads" : "tails");
    return 0;
}
