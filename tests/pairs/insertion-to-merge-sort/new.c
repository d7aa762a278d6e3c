#include <stdio.h>
#include <string.h>

#define MOST 400

struct record {
    unsigned key;
    unsigned line;
};

static struct record table[MOST];
static struct record other[MOST];

static void merge(struct record *to, const struct record *a, const struct record *a_end,
                  const struct record *b, const struct record *b_end)
{
    while (a != a_end && b != b_end)
        *to++ = b->key < a->key ? *b++ : *a++;
    while (a != a_end)
        *to++ = *a++;
    while (b != b_end)
        *to++ = *b++;
}

static void sort(struct record *r, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t mid = i + width < n ? i + width : n;
            size_t end = i + 2 * width < n ? i + 2 * width : n;
            merge(other + i, r + i, r + mid, r + mid, r + end);
        }
        memcpy(r, other, n * sizeof *r);
    }
}

int main(void)
{
    size_t n = 0;
    unsigned line = 1, key = 0;
    int digits = 0, c;

    while ((c = getchar()) != EOF && n < MOST) {
        if (c >= '0' && c <= '9') {
            key = key * 10 + (unsigned)(c - '0');
            digits = 1;
        } else {
            if (digits) {
                table[n].key = key;
                table[n].line = line;
                n++;
            }
            key = 0;
            digits = 0;
            if (c == '\n')
                line++;
        }
    }
    sort(table, n);
    for (size_t i = 0; i < n; i++)
        printf("%u (line %u)\n", table[i].key, table[i].line);
    return 0;
}
