#include <stdio.h>

#define MAXDEPTH 6

static const char *pos;
static int deepest;

static int group(int depth)
{
    if (depth >= MAXDEPTH)
        return 0;
    if (depth > deepest)
        deepest = depth;
    for (;;) {
        int close;

        switch (*pos) {
        case '(':
            close = ')';
            break;
        case '[':
            close = ']';
            break;
        case '{':
            close = '}';
            break;
        default:
            return 1;
        }
        pos++;
        if (!group(depth + 1))
            return 0;
        if (*pos != close)
            return 0;
        pos++;
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        puts("usage: depth STRING");
        return 2;
    }
    pos = argv[1];
    if (!group(0) || *pos != '\0') {
        puts("does not match");
        return 1;
    }
    printf("depth %d\n", deepest);
    return 0;
}
