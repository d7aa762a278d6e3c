#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    char *room = malloc(16);
    if (!room)
        return 1;
    puts("no");
    return 0;
}
