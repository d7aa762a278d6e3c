#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 64

static char *table[SLOTS];

static void keep(char *word)
{
    uint64_t h = (uint64_t)(uintptr_t)word * 0x9e3779b97f4a7c15u;
    char **slot = &table[h >> 58];
    while (*slot)
        if (++slot == table + SLOTS)
            slot = table;
    *slot = word;
}

int main(int argc, char **argv)
{
    int kept = 0;

    for (int i = 1; i < argc; i++) {
        if (kept >= SLOTS / 2)
            break;
        if (argv[i][0]) {
            char *word = strdup(argv[i]);
            if (word == NULL)
                return 9;
            keep(word);
            kept++;
        }
    }
    for (char **slot = table; slot < table + SLOTS; slot++)
        if (*slot)
            puts(*slot);
    printf("%d kept\n", kept);
    return 0;
}
