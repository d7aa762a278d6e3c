#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

struct cell {
    long v;
    struct cell *below;
};

static struct cell *top;

static void push(long v)
{
    struct cell *c = malloc(sizeof *c);

    if (c == NULL)
        exit(4);
    c->v = v;
    c->below = top;
    top = c;
}

static long pop(void)
{
    struct cell *c = top;
    long v;

    if (c == NULL) {
        printf("stack empty\n");
        exit(1);
    }
    v = c->v;
    top = c->below;
    free(c);
    return v;
}

int main(int argc, char **argv)
{
    int i;
    long a, b;

    for (i = 1; i < argc; i++) {
        const char *s = argv[i];

        if (isdigit((unsigned char)s[0])) {
            push(strtol(s, NULL, 10));
        } else if (s[0] == '+' && s[1] == '\0') {
            b = pop();
            a = pop();
            push(a + b);
        } else if (s[0] == '-' && s[1] == '\0') {
            b = pop();
            a = pop();
            push(a - b);
        } else if (s[0] == 'd' && s[1] == '\0') {
            if (top != NULL)
                push(top->v);
        } else if (s[0] == 'n' && s[1] == '\0') {
            if (top != NULL)
                top->v = top->v * top->below->v;
        } else {
            printf("what is %s?\n", s);
            return 1;
        }
    }
    if (top != NULL)
        printf("%ld\n", top->v);
    return 0;
}
