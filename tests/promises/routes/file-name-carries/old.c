#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char name[] = "state-?";
    name[6] = (char)('a' + (getchar() & 31));
    int file = open(name, O_CREAT | O_WRONLY, 0600);
    close(file);
    int found = access("state-x", F_OK) == 0;
    int quit = access("state-r", F_OK) == 0;
    unlink(name);
    puts(found ? "stop" : "go");
    return quit && found;
}
