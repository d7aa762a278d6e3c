#include <stdio.h>

int main(void)
{
    int c = getchar();
    char room[8];
    room[0] = c == 'q' ? 'a' : 'b';
    room[1] = '\0';
    puts(room);
    return 0;
}
