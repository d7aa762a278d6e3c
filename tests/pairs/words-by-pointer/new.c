#include <stdio.h>
#include <string.h>

#define LIMIT 8192

static unsigned char text[LIMIT];

static int is_blank(int c)
{
    return c != 0 && strchr(" \t\n\r\v\f", c) != NULL;
}

static size_t count_lines(const unsigned char *p, const unsigned char *end)
{
    size_t lines = 0;
    while (p < end) {
        const unsigned char *nl = memchr(p, '\n', (size_t)(end - p));
        lines++;
        if (!nl)
            break;
        p = nl + 1;
    }
    return lines;
}

int main(void)
{
    const unsigned char *p = text;
    const unsigned char *end = text + fread(text, 1, LIMIT, stdin);
    size_t words = 0, longest = 0, capital = 0;

    for (;;) {
        while (p != end && is_blank(*p))
            p++;
        if (p == end)
            break;
        const unsigned char *start = p;
        do
            p++;
        while (p != end && !is_blank(*p));
        words++;
        capital += *start >= 'A' && *start <= 'Z';
        if ((size_t)(p - start) > longest)
            longest = (size_t)(p - start);
    }

    printf("lines   %zu\n", count_lines(text, end));
    printf("words   %zu\n", words);
    printf("longest %zu\n", longest);
    if (capital)
        printf("capital %zu\n", capital);
    return words == 0;
}
