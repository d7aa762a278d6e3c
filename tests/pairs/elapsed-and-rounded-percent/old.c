#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);

    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        puts("usage: two bytes, part and whole");
        return 2;
    }
    unsigned part = in[0], whole = in[1];
    if (whole == 0 || part > whole)
        puts("no percentage");
    else
        printf("%u%%\n", part * 100 / whole);

    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%lld ns\n", (b.tv_sec - a.tv_sec) * 1000000000LL + (b.tv_nsec - a.tv_nsec));
    return 0;
}
