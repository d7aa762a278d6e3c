#include <stdio.h>
#include <string.h>

#define BRIEF "%s: %s\n"
#define FULL "%s (%s): %s\n"

static char context[16];

static void report(const char *level, const char *msg)
{
    if (context[0] == '\0')
        fprintf(stderr, BRIEF, level, msg);
    else if (strcmp(level, "panic") != 0)
        fprintf(stderr, BRIEF, level, msg);
    else
        fprintf(stderr, FULL, level, context, msg);
}

int main(void)
{
    static const char *const levels[] = { "note", "warning", "panic" };
    char line[100];
    int n = 0;

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        n++;
        if (line[0] == '@')
            strncpy(context, line + 1, sizeof context - 1);
        else if (line[0] >= '1' && line[0] <= '3' && line[1] == ' ')
            report(levels[line[0] - '1'], line + 2);
    }
    printf("%d\n", n);
    return 0;
}
