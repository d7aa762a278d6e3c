#include <stdio.h>

struct mode {
    int read, write, append, create, binary;
};

static int parse(const char *s, struct mode *m)
{
    for (; *s != '\0'; s++) {
        switch (*s) {
        case 'r':
            m->read = 1;
            break;
        case 'w':
            m->write = 1;
            m->create = 1;
            break;
        case 'a':
            m->append = 1;
        case '+':
            m->read = 1;
            m->write = 1;
            break;
        case 'b':
            m->binary = 1;
            break;
        case 'X':
            m->create = 0;
            break;
        default:
            return 0;
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct mode m = { 0 };

    if (argc != 2 || !parse(argv[1], &m)) {
        printf("bad mode\n");
        return 1;
    }
    if (m.append && m.binary)
        printf("appends %d to a binary\n", m.write);
    else if (m.create)
        printf("creates\n");
    else if (m.read)
        printf("opens\n");
    else
        printf("nothing\n");
    return 0;
}
