#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>

#define NVARS 26

struct var {
    int set;
    int readonly;
    int touched;
    long value;
};

static struct var vars[NVARS];

static void cmd_set(int i, long value)
{
    if (vars[i].readonly) {
        printf("%c is fixed\n", 'a' + i);
        return;
    }
    vars[i].set = 1;
    vars[i].value = value;
    vars[i].touched = 1;
}

static void cmd_fix(int i)
{
    if (vars[i].set)
        vars[i].readonly = 1;
    else
        printf("%c is not set\n", 'a' + i);
}

static void cmd_clear(int i)
{
    vars[i].set = 0;
    vars[i].value = 0;
    vars[i].readonly = 0;
}

static void cmd_get(int i)
{
    if (vars[i].set)
        printf("%ld\n", vars[i].value);
    else
        printf("-\n");
}

static void cmd_list(void)
{
    int i;

    for (i = 0; i < NVARS; i++)
        if (vars[i].touched && vars[i].set)
            printf("%c%s", 'a' + i, vars[i].readonly ? "! " : " ");
    printf("\n");
}

int main(void)
{
    char line[80];

    while (fgets(line, sizeof line, stdin) != NULL) {
        char cmd[10], name;
        long value;
        int n = sscanf(line, "%9s %c %ld", cmd, &name, &value);

        if (n < 1)
            continue;
        if (strcmp(cmd, "list") == 0) {
            cmd_list();
            continue;
        }
        if (n < 2 || !islower((unsigned char)name)) {
            printf("name?\n");
            continue;
        }
        if (strcmp(cmd, "set") == 0 && n == 3)
            cmd_set(name - 'a', value);
        else if (strcmp(cmd, "fix") == 0)
            cmd_fix(name - 'a');
        else if (strcmp(cmd, "clear") == 0)
            cmd_clear(name - 'a');
        else if (strcmp(cmd, "get") == 0)
            cmd_get(name - 'a');
        else
            printf("command?\n");
    }
    return 0;
}
