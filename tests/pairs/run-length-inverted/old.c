#include <stdio.h>

#define LONGEST 255

static unsigned long pieces;
static unsigned long saved;

static void emit(int byte, int count)
{
    if (byte >= 33 && byte <= 126 && !(byte >= '0' && byte <= '9'))
        printf("%d%c ", count, byte);
    else
        printf("%d:%02x ", count, (unsigned)byte);
    pieces++;
    if (count > 2)
        saved += (unsigned long)count - 2;
}

int main(void)
{
    int last = -1;
    int count = 0;
    int c;

    while ((c = getchar()) != EOF) {
        if (c == last && count < LONGEST) {
            count++;
            continue;
        }
        if (count > 0)
            emit(last, count);
        last = c;
        count = 1;
    }
    if (count > 0)
        emit(last, count);
    printf("\n%lu pieces, %lu saved\n", pieces, saved);
    return 0;
}
