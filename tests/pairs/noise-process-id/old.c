#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[128];
    int number = 0;

    while (fgets(line, sizeof line, stdin)) {
        size_t n = strlen(line);
        if (n > 0 && line[n - 1] == '\n')
            line[--n] = '\0';
        if (n == 0)
            continue;
        number++;
        printf("log[%d] %d: %s\n", (int)getpid(), number, line);
    }
    if (number == 0)
        printf("log[%d] empty\n", (int)getpid());
    return 0;
}
