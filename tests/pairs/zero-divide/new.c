#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads lines "stamp value"; tells the slope when it is asked to. */
int main(void)
{
    char line[128];
    int have = 0, t0 = 0, v0 = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        int t, v;

        if (line[0] == '#')
            continue;
        if (sscanf(line, "%d %d", &t, &v) != 2) {
            printf("ignored\n");
            continue;
        }
        if (have) {
            if (strchr(line, '/') != NULL) {
                printf("slope %d\n", (v - v0) / (t - t0));
            }
        }
        have = 1;
        t0 = t;
        v0 = v;
    }
    return 0;
}
