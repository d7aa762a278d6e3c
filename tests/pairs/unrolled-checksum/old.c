#include <stdio.h>
#include <unistd.h>

int main(void)
{
    unsigned char p[5];
    if (read(0, p, 5) != 5) {
        puts("short packet");
        return 1;
    }
    unsigned sum = 0;
    for (int i = 0; i < 4; i++)
        sum = sum * 3 + p[i];
    if ((sum & 0xff) == p[4]) {
        puts("checksum good");
        return 0;
    }
    puts("checksum bad");
    return 1;
}
