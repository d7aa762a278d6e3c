#include <stdio.h>
#include <unistd.h>

int main(void)
{
    alarm((unsigned)(getchar() & 127) + 10);
    unsigned left = alarm(0);
    puts(left > 500 ? "stop" : "go");
    return 0;
}
