#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    puts(c == 'x' ? "stop" : "go");
    return 0;
}
