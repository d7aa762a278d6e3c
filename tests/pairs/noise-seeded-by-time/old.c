#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    srand((unsigned)t.tv_nsec ^ (unsigned)getpid());
    printf("lucky number %d\n", rand() % 1000000);

    if (argc != 2) {
        puts("guess: none");
        return 1;
    }
    long guess = strtol(argv[1], NULL, 10);
    if (guess < 0)
        puts("guess: negative");
    else if (guess >= 1000000)
        puts("guess: too big");
    else if (guess % 2 == 0)
        puts("guess: even");
    else
        puts("guess: odd");
    return 0;
}
