#include <stdio.h>

enum state { START, COMMENT, KEY, AFTER_KEY, BEFORE_VALUE, VALUE, BAD };

int main(void)
{
    enum state state = START;
    unsigned long line = 1, key = 0, value = 0, good = 0, bad = 0;
    int c;

    do {
        c = getchar();
        if (c == '\n' || c == EOF) {
            if (state == VALUE) {
                printf("%lu: key of %lu, value of %lu\n", line, key, value);
                good++;
            } else if (state != START && state != COMMENT) {
                printf("%lu: bad\n", line);
                bad++;
            }
            state = START;
            key = value = 0;
            line++;
            continue;
        }
        int blank = c == ' ' || c == '\t';
        switch (state) {
        case START:
            if (c == '#') {
                state = COMMENT;
            } else if (c >= 'a' && c <= 'z') {
                key = 1;
                state = KEY;
            } else if (!blank) {
                state = BAD;
            }
            break;
        case KEY:
            if (c >= 'a' && c <= 'z')
                key++;
            else if (blank)
                state = AFTER_KEY;
            else
                state = c == '=' ? BEFORE_VALUE : BAD;
            break;
        case AFTER_KEY:
            if (!blank)
                state = c == '=' ? BEFORE_VALUE : BAD;
            break;
        case BEFORE_VALUE:
            if (!blank) {
                value = 1;
                state = VALUE;
            }
            break;
        case VALUE:
            value++;
            break;
        case COMMENT:
        case BAD:
            break;
        }
    } while (c != EOF);

    printf("%lu good, %lu bad\n", good, bad);
    return bad != 0;
}
