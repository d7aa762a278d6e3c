#include <stdio.h>
#include <unistd.h>

int main(void)
{
    unsigned char p[5];
    if (read(0, p, 5) != 5) {
        puts("short packet");
        return 1;
    }
    unsigned char sum = (unsigned char)(27 * p[0] + 9 * p[1] + 3 * p[2] + p[3]);
    if (sum != p[4]) {
        puts("checksum bad");
        return 1;
    }
    puts("checksum good");
    return 0;
}
