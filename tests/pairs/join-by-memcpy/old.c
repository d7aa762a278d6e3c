#include <stdio.h>
#include <stdlib.h>

struct text {
    char *data;
    size_t used;
    size_t room;
};

static void add(struct text *t, char c)
{
    if (t->used == t->room) {
        t->room = t->room * 2 + 16;
        t->data = realloc(t->data, t->room);
        if (!t->data)
            exit(9);
    }
    t->data[t->used++] = c;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        puts("usage: join SEPARATOR WORD...");
        return 2;
    }
    struct text t = {NULL, 0, 0};
    int joined = 0;

    for (int i = 2; i < argc; i++) {
        if (argv[i][0] == '\0')
            continue;
        if (joined > 0)
            for (const char *p = argv[1]; *p; p++)
                add(&t, *p);
        for (const char *p = argv[i]; *p; p++)
            add(&t, *p);
        joined++;
    }
    add(&t, '\0');
    printf("%s\n", t.data);
    printf("%d words, %zu bytes\n", joined, t.used - 1);
    free(t.data);
    return 0;
}
