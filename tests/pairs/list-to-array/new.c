#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Commands, one on a line: "a N" appends, "p N" prepends, "d N" deletes the first N. */

static long *items;
static size_t used, room;

static void insert_at(size_t i, long v)
{
    if (used == room) {
        room = room ? 2 * room : 8;
        items = realloc(items, room * sizeof *items);
        if (!items)
            exit(9);
    }
    memmove(items + i + 1, items + i, (used - i) * sizeof *items);
    items[i] = v;
    used++;
}

static void delete_value(long v)
{
    for (size_t i = 0; i < used; i++) {
        if (items[i] == v) {
            used--;
            memmove(items + i, items + i + 1, (used - i) * sizeof *items);
            return;
        }
    }
    printf("no %ld\n", v);
}

int main(void)
{
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        char command = line[0];
        if ((command != 'a' && command != 'p' && command != 'd') || line[1] != ' ') {
            puts("?");
            continue;
        }
        long v = strtol(line + 2, NULL, 10);
        if (command == 'd')
            delete_value(v);
        else
            insert_at(command == 'a' ? used : 0, v);
    }
    for (size_t i = 0; i < used; i++)
        printf("%ld\n", items[i]);
    printf("%d left\n", (int)used);
    free(items);
    return 0;
}
