#include <stdio.h>

#define LIMIT 8192

static unsigned char text[LIMIT];

static int is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

int main(void)
{
    size_t n = fread(text, 1, LIMIT, stdin);
    size_t lines = 0, words = 0, longest = 0, capital = 0;
    size_t current = 0;
    int inside = 0;

    for (size_t i = 0; i < n; i++) {
        int c = text[i];
        if (c == '\n')
            lines++;
        if (is_blank(c)) {
            inside = 0;
            current = 0;
            continue;
        }
        if (!inside) {
            inside = 1;
            words++;
            if (c >= 'A' && c <= 'Z')
                capital++;
        }
        current++;
        if (current > longest)
            longest = current;
    }
    if (n > 0 && text[n - 1] != '\n')
        lines++;

    printf("lines   %zu\n", lines);
    printf("words   %zu\n", words);
    printf("longest %zu\n", longest);
    if (capital)
        printf("capital %zu\n", capital);
    return words == 0;
}
