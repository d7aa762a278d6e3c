#include <stdio.h>
#include <time.h>

int main(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("# %lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);

    unsigned long lines = 0;
    int c, last = '\n';
    while ((c = getchar()) != EOF) {
        if (c == '\n')
            lines++;
        last = c;
    }
    if (last != '\n')
        lines++;
    printf("lines: %lu\n", lines);
    return 0;
}
