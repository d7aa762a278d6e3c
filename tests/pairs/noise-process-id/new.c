#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void log_line(const char *what, int number)
{
    int pid = (int)getpid();
    if (number)
        printf("log[%d] %d: %s\n", pid, number, what);
    else
        printf("log[%d] %s\n", pid, what);
}

int main(void)
{
    char line[128];
    int number = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0')
            log_line(line, ++number);
    }
    if (!number)
        log_line("empty", 0);
    return 0;
}
