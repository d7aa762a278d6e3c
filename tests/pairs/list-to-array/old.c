#include <stdio.h>
#include <stdlib.h>

/* Commands, one on a line: "a N" appends, "p N" prepends, "d N" deletes the first N. */

struct node {
    long value;
    struct node *next;
};

static struct node *new_node(long value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(9);
    n->value = value;
    n->next = next;
    return n;
}

int main(void)
{
    struct node *head = NULL;
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '\0' || line[1] != ' ') {
            puts("?");
            continue;
        }
        long v = strtol(line + 2, NULL, 10);
        struct node **at = &head;
        switch (line[0]) {
        case 'a':
            while (*at)
                at = &(*at)->next;
            *at = new_node(v, NULL);
            break;
        case 'p':
            head = new_node(v, head);
            break;
        case 'd':
            while (*at && (*at)->value != v)
                at = &(*at)->next;
            if (*at) {
                struct node *gone = *at;
                *at = gone->next;
                free(gone);
            } else {
                printf("no %ld\n", v);
            }
            break;
        default:
            puts("?");
        }
    }
    int count = 0;
    while (head) {
        struct node *next = head->next;
        printf("%ld\n", head->value);
        free(head);
        head = next;
        count++;
    }
    printf("%d left\n", count);
    return 0;
}
