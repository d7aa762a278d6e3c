#include <stdio.h>
#include <time.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        printf("nothing to do (%ld ticks)\n", (long)clock());
        return 1;
    }
    for (int i = 1; i < argc; i++) {
        int score = 0;
        for (const char *p = argv[i]; *p; p++) {
            if (*p == '+')
                score++;
            if (*p == '-')
                score--;
        }
        if (score > 0)
            printf("%d: up by %d (%ld ticks)\n", i, score, (long)clock());
        else if (score < 0)
            printf("%d: down by %d (%ld ticks)\n", i, -score, (long)clock());
        else
            printf("%d: level (%ld ticks)\n", i, (long)clock());
    }
    return 0;
}
