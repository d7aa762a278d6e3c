#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    char *block = malloc(40);
    if (!block)
        return 3;
    block[8] = 0;
    free(block);
    char last = c == 'q' ? block[8] : 0;
    puts(last == 0 ? "empty" : "full");
    return c == EOF;
}
