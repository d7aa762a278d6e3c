#include <stdio.h>
#include <time.h>

static int is_vowel(int c)
{
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u':
    case 'A': case 'E': case 'I': case 'O': case 'U':
        return 1;
    }
    return 0;
}

int main(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("run at %lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);

    unsigned long vowels = 0, all = 0;
    for (int c = getchar(); c != EOF; c = getchar()) {
        vowels += (unsigned long)is_vowel(c);
        all++;
    }
    printf("vowels %lu others %lu\n", vowels, all - vowels);
    return 0;
}
