#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 31

enum { FREE, USED, GONE };

struct slot {
    int state;
    char key[16];
    int value;
};

static struct slot *table;

static unsigned hash(const char *s)
{
    unsigned h = 5;

    while (*s != '\0')
        h = h * 33 + (unsigned char)*s++;
    return h % SLOTS;
}

static struct slot *find(const char *key)
{
    unsigned h = hash(key), i;

    for (i = 0; i < SLOTS; i++) {
        struct slot *s = &table[(h + i) % SLOTS];

        if (s->state == FREE)
            return NULL;
        if (s->state == USED && strcmp(s->key, key) == 0)
            return s;
    }
    return NULL;
}

static int put(const char *key, int value)
{
    struct slot *s = find(key);
    unsigned h = hash(key), i;

    for (i = 0; s == NULL && i < SLOTS; i++)
        if (table[(h + i) % SLOTS].state != USED)
            s = &table[(h + i) % SLOTS];
    if (s == NULL)
        return 0;
    s->state = USED;
    strncpy(s->key, key, sizeof s->key - 1);
    s->value = value;
    return 1;
}

static int drop(const char *key)
{
    struct slot *s = find(key);

    if (s == NULL)
        return 0;
    s->state = GONE;
    memset(s->key, 0, sizeof s->key);
    return 1;
}

int main(void)
{
    char line[128];

    table = calloc(SLOTS, sizeof *table);
    if (table == NULL)
        return 9;
    while (fgets(line, sizeof line, stdin) != NULL) {
        char key[16];
        int value;
        struct slot *s;

        if (sscanf(line, "%15[a-z]=%d", key, &value) == 2) {
            if (!put(key, value))
                puts("full");
        } else if (sscanf(line, "-%15[a-z]", key) == 1) {
            puts(drop(key) ? "dropped" : "none");
        } else if (sscanf(line, "?%15[a-z]", key) == 1) {
            s = find(key);
            if (s == NULL)
                puts("none");
            else
                printf("%d\n", s->value);
        }
    }
    free(table);
    return 0;
}
