#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int leap(unsigned y)
{
    if (y % 400 == 0)
        return 1;
    if (y % 100 == 0)
        return 0;
    return y % 4 == 0;
}

int main(int argc, char **argv)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    srand((unsigned)t.tv_nsec);

    unsigned y = 0;
    for (const char *p = argc > 1 ? argv[1] : ""; *p >= '0' && *p <= '9' && y < 1000; p++)
        y = y * 10 + (unsigned)(*p - '0');
    printf("year %u has %d days\n", y, leap(y) ? 366 : 365);
    printf("tip number %d\n", rand());
    return 0;
}
