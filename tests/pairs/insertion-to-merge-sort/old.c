#include <stdio.h>

#define MOST 400

struct record {
    unsigned key;
    unsigned line;
};

static struct record table[MOST];

static void sort(struct record *r, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct record x = r[i];
        size_t j = i;
        while (j > 0 && r[j - 1].key > x.key) {
            r[j] = r[j - 1];
            j--;
        }
        r[j] = x;
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
