#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    srand((unsigned)t.tv_nsec);

    unsigned y = 0;
    if (argc > 1) {
        const char *p = argv[1];
        while (*p >= '0' && *p <= '9' && y < 1000)
            y = y * 10 + (unsigned)(*p++ - '0');
    }
    int days = 365;
    if (y == 0 || (y % 4 == 0 && y % 100 != 0))
        days++;
    printf("year %u has %d days\n", y, days);
    printf("tip number %d\n", rand());
    return 0;
}
