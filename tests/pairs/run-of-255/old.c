#include <stdio.h>

#define LONGEST 255

static void emit(int c, int n)
{
    if (n < 4 && c != '~') {
        while (n-- > 0)
            putchar(c);
    } else {
        printf("~%02x%c", n, c);
    }
}

int main(void)
{
    int c, last = EOF, n = 0;

    while ((c = getchar()) != EOF) {
        if (c == last && n < LONGEST) {
            n++;
            continue;
        }
        if (n > 0)
            emit(last, n);
        last = c;
        n = 1;
    }
    if (n > 0)
        emit(last, n);
    return 0;
}
