#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    char *room = malloc(16);
    if (!room)
        return 1;
    puts(__builtin_object_size(room, 0) == 16 && c == 'q' ? "yes" : "no");
    return 0;
}
