#include <stdio.h>

#define PER_PAGE 9

int main(void)
{
    int c, last = '\n', items = 0, page = 1, blank = 0;

    while ((c = getchar()) != EOF) {
        if (c == '\n' && last == '\n')
            blank++;
        else if (c == '\n')
            items++;
        if (items == PER_PAGE) {
            page++;
            items = 0;
        }
        last = c;
    }
    printf("%d pages, %d blank\n", page - (items == 0 && page > 1), blank);
    return 0;
}
