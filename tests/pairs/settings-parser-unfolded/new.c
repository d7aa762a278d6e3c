#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

/* Returns 1 for a setting, 0 for a line that says nothing, -1 for a bad one. */
static int parse(const char *p, const char *end, size_t *key, size_t *value)
{
    p = skip_blanks(p, end);
    if (p == end || *p == '#')
        return 0;

    const char *start = p;
    while (p < end && *p >= 'a' && *p <= 'z')
        p++;
    *key = (size_t)(p - start);
    if (*key == 0)
        return -1;

    p = skip_blanks(p, end);
    if (p == end || *p != '=')
        return -1;

    p = skip_blanks(p + 1, end);
    *value = (size_t)(end - p);
    return *value ? 1 : -1;
}

int main(void)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t n;
    unsigned long good = 0, bad = 0;

    for (unsigned long line = 1; (n = getline(&text, &room, stdin)) > 0; line++) {
        if (text[n - 1] == '\n')
            n--;
        size_t key, value;
        int got = parse(text, text + n, &key, &value);
        if (got > 0) {
            printf("%lu: key of %zu, value of %zu\n", line, key, value);
            good++;
        } else if (got < 0) {
            printf("%lu: bad\n", line);
            bad++;
        }
    }
    free(text);
    printf("%lu good, %lu bad\n", good, bad);
    return bad ? 1 : 0;
}
