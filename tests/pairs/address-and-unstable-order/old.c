#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
    unsigned char key;
    unsigned char tag;
};

int main(void)
{
    unsigned char b[8];
    ssize_t n = read(0, b, sizeof b);
    int count = n > 0 ? (int)(n / 2) : 0;
    struct item *items = calloc(4, sizeof *items);
    if (!items)
        return 9;
    printf("items at %p\n", (void *)items);

    for (int i = 0; i < count; i++) {
        int j = i;
        while (j > 0 && items[j - 1].key > b[2 * i]) {
            items[j] = items[j - 1];
            j--;
        }
        items[j].key = b[2 * i];
        items[j].tag = b[2 * i + 1];
    }
    for (int i = 0; i < count; i++)
        printf("%u/%u\n", items[i].key, items[i].tag);
    free(items);
    return 0;
}
