#include <stdio.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[2];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b) {
        puts("?");
        return 1;
    }
    unsigned u = (unsigned)b[1] << 8 | b[0];
    unsigned mask = 0u - (u >> 15);
    unsigned a = ((u ^ mask) - mask) & 0xffff;

    if (a >= 100)
        puts(a == 0x8000 ? "edge" : "far");
    else
        puts(a ? "near" : "zero");
    printf("%u\n", a);
    return 0;
}
