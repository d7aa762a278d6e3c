#include <stdio.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[2];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b) {
        puts("?");
        return 1;
    }
    int v = b[0] | b[1] << 8;
    if (v >= 0x8000)
        v -= 0x10000;

    int a = v;
    if (a < 0)
        a = -a;

    if (a == 0)
        puts("zero");
    else if (a < 100)
        puts("near");
    else if (a < 32768)
        puts("far");
    else
        puts("edge");
    printf("%d\n", a);
    return 0;
}
