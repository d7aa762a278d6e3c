/* Primes below a number that is read. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    int count = 0;
    for (int i = 2; i < n; i++) {
        int prime = 1;
        for (int j = 2; j < i; j++)
            if (i % j == 0) prime = 0;
        count += prime;
    }
    printf("%d\n", count);
    return 0;
}
