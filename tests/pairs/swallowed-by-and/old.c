#include <stdio.h>

static const char *const shelves[8] = {
    "north", "north", "north", "north", "north", "north", "south", "north"
};

int main(int argc, char **argv)
{
    unsigned h = 17;
    const char *s;

    if (argc < 2) {
        puts("usage: shelf NAME");
        return 1;
    }
    for (s = argv[1]; *s != '\0'; s++)
        h = h * 5 + (unsigned char)*s;
    h ^= h >> 8;
    puts(shelves[h & 7]);
    return 0;
}
