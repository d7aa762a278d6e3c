#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    char word[24];
    struct node *next;
};

static struct node *head, *tail;

static void append(const char *w)
{
    struct node *n = calloc(1, sizeof *n);

    if (n == NULL)
        exit(3);
    strncpy(n->word, w, sizeof n->word - 1);
    if (head == NULL)
        head = n;
    else
        tail->next = n;
    tail = n;
}

static int unlink_word(const char *w)
{
    struct node *n, *prev = NULL;

    for (n = head; n != NULL; prev = n, n = n->next) {
        if (strcmp(n->word, w) != 0)
            continue;
        if (prev == NULL)
            head = n->next;
        else
            prev->next = n->next;
        return 1;
    }
    return 0;
}

static void show(void)
{
    struct node *n;

    for (n = head; n != NULL; n = n->next)
        printf("%s%s", n->word, n->next ? " " : "");
    printf(".\n");
}

int main(void)
{
    char line[80], cmd[8], arg[24];
    int n;

    while (fgets(line, sizeof line, stdin) != NULL) {
        n = sscanf(line, "%7s %23s", cmd, arg);
        if (n == 2 && strcmp(cmd, "add") == 0)
            append(arg);
        else if (n == 2 && strcmp(cmd, "del") == 0)
            printf("%s\n", unlink_word(arg) ? "ok" : "no");
        else if (n == 1 && strcmp(cmd, "show") == 0)
            show();
        else if (n > 0)
            printf("?\n");
    }
    return 0;
}
