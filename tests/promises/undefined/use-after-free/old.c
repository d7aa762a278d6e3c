#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    char *block = malloc(40);
    if (!block)
        return 3;
    block[8] = 0;
    char last = block[8];
    free(block);
    puts(last == 0 ? "empty" : "full");
    return c == EOF;
}
