#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void ticks(void)
{
    printf(" (%ld ticks)\n", (long)clock());
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        printf("nothing to do");
        ticks();
        return 1;
    }
    int i = 0;
    while (++i < argc) {
        int up = 0, down = 0;
        for (const char *p = argv[i]; *p; p++) {
            up += *p == '+';
            down += *p == '-';
        }
        if (up == down)
            printf("%d: level", i);
        else
            printf("%d: %s by %d", i, up > down ? "up" : "down", abs(up - down));
        ticks();
    }
    return 0;
}
