#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("run at %lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);

    unsigned long vowels = 0, others = 0;
    int c;
    while ((c = getchar()) != EOF) {
        if (c != '\0' && strchr("aeiouAEIOU", c))
            vowels++;
        else
            others++;
    }
    printf("vowels %lu others %lu\n", vowels, others);
    return 0;
}
