#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    char *block = malloc(40);
    free(block);
    if (c == 'q')
        free(block);
    puts("freed");
    return c == EOF;
}
