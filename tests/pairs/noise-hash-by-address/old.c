#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 64

int main(int argc, char **argv)
{
    char *table[SLOTS] = {NULL};
    int kept = 0;

    for (int i = 1; i < argc && kept < SLOTS / 2; i++) {
        size_t n = strlen(argv[i]);
        if (n == 0)
            continue;
        char *word = malloc(n + 1);
        if (!word)
            return 9;
        memcpy(word, argv[i], n + 1);
        uint64_t h = (uint64_t)(uintptr_t)word * 0x9e3779b97f4a7c15u;
        unsigned slot = (unsigned)(h >> 58);
        while (table[slot])
            slot = (slot + 1) % SLOTS;
        table[slot] = word;
        kept++;
    }
    for (int i = 0; i < SLOTS; i++)
        if (table[i])
            printf("%s\n", table[i]);
    printf("%d kept\n", kept);
    return 0;
}
