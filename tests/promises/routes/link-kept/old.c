#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char target[2] = "", got[8] = "";
    target[0] = (char)((getchar() & 127) | 1);
    if (symlink(target, "room") || readlink("room", got, 7) < 0)
        return 1;
    unlink("room");
    puts(got[0] == 'y' ? "stop" : "go");
    return 0;
}
