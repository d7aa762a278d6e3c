#include <stdio.h>
#include <stdlib.h>

static char room[64];

int main(void)
{
    int c = getchar();
    char *text = c == 'q' ? room : malloc(64);
    if (c != 'q')
        free(text);
    puts("done");
    return 0;
}
