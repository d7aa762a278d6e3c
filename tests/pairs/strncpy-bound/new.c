#include <stdio.h>
#include <string.h>

#define NAMELEN 14

struct entry {
    char name[NAMELEN + 2];
    int kind;
};

static void set_name(struct entry *e, const char *s)
{
    memset(e->name, 0, sizeof e->name);
    strncpy(e->name, s, NAMELEN + 1);
}

int main(int argc, char **argv)
{
    struct entry e;
    char *dot;

    if (argc < 2) {
        printf("no name\n");
        return 1;
    }
    set_name(&e, argv[1]);
    dot = strchr(e.name, '.');
    e.kind = 0;
    if (dot != NULL) {
        e.kind = dot[1];
        *dot = '\0';
    }
    printf("[%s] %d\n", e.name, e.kind);
    return 0;
}
