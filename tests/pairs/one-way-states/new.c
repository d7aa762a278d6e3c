#include <stdio.h>

enum state { START, ARMED, HOT, DONE, DEAD };

static const char *names[] = { "start", "armed", "hot", "done", "dead" };

int main(void)
{
    enum state s = START;
    int c, laps = 0;

    while ((c = getchar()) != EOF) {
        if (c == '\n')
            continue;
        switch (s) {
        case START:
            if (c == 'k')
                s = ARMED;
            else if (c != ' ')
                s = DEAD;
            break;
        case ARMED:
            if (c == 'w')
                s = HOT;
            else if (c == '-')
                s = START;
            else
                s = DEAD;
            break;
        case HOT:
            if (c == '!') {
                laps++;
                s = laps >= 3 ? DONE : START;
            } else {
                s = DEAD;
            }
            break;
        case DONE:
            if (c == 'r') {
                laps = 0;
                s = START;
            }
            break;
        case DEAD:
            break;
        }
    }
    printf("%s\n", names[s]);
    return s == DONE ? 0 : 1;
}
