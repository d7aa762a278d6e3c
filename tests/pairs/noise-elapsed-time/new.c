#include <stdio.h>
#include <time.h>

static struct timespec since(struct timespec a)
{
    struct timespec b;
    clock_gettime(CLOCK_MONOTONIC, &b);
    b.tv_sec -= a.tv_sec;
    b.tv_nsec -= a.tv_nsec;
    return b;
}

int main(void)
{
    int c = getchar();
    unsigned long n = c == EOF ? 0 : (unsigned long)c;

    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    unsigned long sum = n * (n + 1) * (2 * n + 1) / 6;
    struct timespec took = since(start);

    printf("squares up to %lu: %lu\n", n, sum);
    printf("took %lld ns\n", took.tv_sec * 1000000000LL + took.tv_nsec);
    return 0;
}
