#include <stdio.h>

int main(void)
{
    int c = getchar();
    char room[8];
    snprintf(room, sizeof room, "%c", c == 'q' ? 'a' : 'b');
    puts(room);
    return 0;
}
