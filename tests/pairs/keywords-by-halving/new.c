#include <stdio.h>
#include <string.h>

#define LONGEST 6

struct keyword {
    const char *name;
    size_t length;
    unsigned long seen;
};

static struct keyword table[] = {
    {"break", 5, 0}, {"case", 4, 0}, {"do", 2, 0},  {"double", 6, 0}, {"else", 4, 0},
    {"for", 3, 0},   {"if", 2, 0},   {"int", 3, 0}, {"return", 6, 0}, {"while", 5, 0},
};
#define COUNT (sizeof table / sizeof table[0])

static int is_word(int c)
{
    if (c == '_')
        return 1;
    if ((unsigned)c - '0' < 10)
        return 1;
    return c > 0 && ((unsigned)c | 32) - 'a' < 26;
}

static struct keyword *look_up(const char *word, size_t n)
{
    size_t low = 0, high = COUNT;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        struct keyword *k = &table[mid];
        int order = memcmp(word, k->name, n < k->length ? n : k->length);
        if (order == 0 && n == k->length)
            return k;
        if (order > 0 || (order == 0 && n > k->length))
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

int main(void)
{
    unsigned long others = 0;
    int c = getchar();

    while (c != EOF) {
        if (!is_word(c)) {
            c = getchar();
            continue;
        }
        char word[LONGEST];
        size_t n = 0;
        int too_long = 0;
        do {
            if (n < LONGEST)
                word[n++] = (char)c;
            else
                too_long = 1;
            c = getchar();
        } while (is_word(c));

        struct keyword *k = too_long ? NULL : look_up(word, n);
        if (k)
            k->seen++;
        else
            others++;
    }
    for (struct keyword *k = table; k != table + COUNT; k++)
        if (k->seen)
            printf("%-8s %lu\n", k->name, k->seen);
    printf("others   %lu\n", others);
    return 0;
}
