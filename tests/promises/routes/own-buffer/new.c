#include <stdio.h>

static char room[4096];

int main(void)
{
    setvbuf(stdin, room, _IOFBF, sizeof room);
    int c = getchar();
    if (room[1] == 'q')
        return 4;
    puts(c == 'x' && room[1] == 'x' ? "stop" : "go");
    return 0;
}
