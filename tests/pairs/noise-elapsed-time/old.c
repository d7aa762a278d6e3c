#include <stdio.h>
#include <time.h>

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void)
{
    int c = getchar();
    if (c == EOF)
        c = 0;
    long long start = now();
    unsigned long sum = 0;
    for (int i = 0; i <= c; i++)
        sum += (unsigned long)i * (unsigned long)i;
    long long end = now();

    printf("squares up to %d: %lu\n", c, sum);
    printf("took %lld ns\n", end - start);
    return 0;
}
