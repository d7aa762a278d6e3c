#include <stdio.h>
#include <string.h>

static char room[8];

int main(void)
{
    int c = getchar();
    char *to = c == 'q' ? NULL : room;
    memcpy(to, &c, 0);
    puts(to == NULL ? "none" : "some");
    return 0;
}
