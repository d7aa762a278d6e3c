#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    char *block = malloc(40);
    if (c == 'q')
        free(block);
    else
        free(block);
    puts("freed");
    return c == EOF;
}
