#include <stdio.h>
#include <ctype.h>

int main(void)
{
    int c, len = 0, longest = 0, rec = 1, any = 0;

    while ((c = getchar()) != EOF) {
        if (isalpha(c)) {
            len++;
            any = 1;
            if (len > longest)
                longest = len;
            continue;
        }
        len = 0;
        if (c == ';') {
            if (any)
                printf("%d: longest word %d\n", rec, longest);
            rec++;
            any = 0;
            longest = 0;
        }
    }
    return 0;
}
