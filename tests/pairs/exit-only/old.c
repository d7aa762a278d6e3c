#include <stdio.h>
#include <string.h>

static int severity(const char *line)
{
    if (strstr(line, "fatal") != NULL)
        return 3;
    if (strstr(line, "error") != NULL)
        return 2;
    if (strstr(line, "warn") != NULL)
        return 1;
    return 0;
}

int main(void)
{
    char line[200];
    int worst = 0, lines = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        int s = severity(line);

        lines++;
        if (s > worst)
            worst = s;
    }
    printf("%d lines\n", lines);
    return worst;
}
