#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long long clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void)
{
    long long start = clock_ns();

    unsigned char in[2];
    if (read(0, in, 2) != 2) {
        puts("usage: two bytes, part and whole");
        return 2;
    }
    unsigned part = in[0], whole = in[1];
    if (whole != 0 && part <= whole)
        printf("%u%%\n", (part * 100 + whole / 2) / whole);
    else
        puts("no percentage");

    printf("%lld ns\n", clock_ns() - start);
    return 0;
}
