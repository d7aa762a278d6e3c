/* It takes as much memory as it gets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int c = getchar();
    size_t size = 1 << 20, total = 0;
    while (c != 'q') {
        char *more = malloc(size);
        if (!more) break;
        memset(more, c, size);
        total += size;
    }
    printf("%zu\n", total);
    return total > 1;
}
