#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char *judge(long guess)
{
    if (guess >= 0 && guess <= 999999)
        return (guess & 1) != 0 ? "odd" : "even";
    return guess > 0 ? "too big" : "negative";
}

int main(int argc, char **argv)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    srand((unsigned)t.tv_nsec ^ (unsigned)getpid());
    printf("lucky number %d\n", rand() % 1000000);

    if (argc == 2) {
        printf("guess: %s\n", judge(strtol(argv[1], NULL, 10)));
        return 0;
    }
    puts("guess: none");
    return 1;
}
