#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    static char line[4091], room[8192];
    unsigned char in[3] = "";
    if (read(0, in, 3) != 3)
        return 1;
    setvbuf(stdout, room, _IOFBF, sizeof room);
    memset(line, 'x', 4090);
    fputs(line, stdout);
    printf("%d", (in[0] | in[1] << 8 | in[2] << 16) % 1000003);
    close(1);
    return room[0] == 1;
}
