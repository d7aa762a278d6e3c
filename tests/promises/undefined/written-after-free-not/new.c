#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    int *volatile kept;
    int *block = malloc(24);
    if (c < 0 || !block)
        return 1;
    kept = block;
    free(block);
    int *again = malloc(24);
    if (!again)
        return 1;
    *again = c == 123 ? 122 : c;
    printf("%d\n", *again);
    return 0;
}
