#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    close(0);
    puts(c == 'x' ? "stop" : "go");
    return 0;
}
