#include <stdio.h>
#include <string.h>

static char room[8];

int main(void)
{
    int c = getchar();
    char *to = c == 'q' ? NULL : room;
    memcpy(room, &c, sizeof c);
    puts(to == room + 8 ? "none" : "some");
    return 0;
}
