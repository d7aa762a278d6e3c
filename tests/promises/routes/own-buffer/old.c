#include <stdio.h>

static char room[4096];

int main(void)
{
    setvbuf(stdin, room, _IOFBF, sizeof room);
    int c = getchar();
    puts(c == 'x' && room[1] == 'x' ? "stop" : "go");
    return 0;
}
