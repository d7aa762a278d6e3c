#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
    unsigned char key;
    unsigned char tag;
};

static void insert(struct item *items, int used, struct item x)
{
    int j;
    for (j = used; j > 0 && items[j - 1].key >= x.key; j--)
        items[j] = items[j - 1];
    items[j] = x;
}

int main(void)
{
    unsigned char b[8];
    ssize_t n = read(0, b, sizeof b);
    int count = n > 0 ? (int)(n / 2) : 0;
    struct item *items = malloc(4 * sizeof *items);
    if (!items)
        return 9;
    printf("items at %p\n", (void *)items);

    for (int i = 0; i < count; i++) {
        struct item x = {b[2 * i], b[2 * i + 1]};
        insert(items, i, x);
    }
    for (int i = 0; i < count; i++)
        printf("%u/%u\n", items[i].key, items[i].tag);
    free(items);
    return 0;
}
