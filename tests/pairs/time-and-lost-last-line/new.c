#include <stdio.h>
#include <time.h>

int main(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("# %lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);

    unsigned long lines = 0;
    int c;
    while ((c = getchar()) != EOF)
        lines += c == '\n';
    printf("lines: %lu\n", lines);
    return 0;
}
