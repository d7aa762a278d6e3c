#include <stdio.h>
#include <unistd.h>

int main(void)
{
    alarm((unsigned)(getchar() & 127) + 10);
    unsigned left = alarm(0);
    if (left > 120 && left <= 123)
        return 4;
    puts(left > 500 ? "stop" : "go");
    return 0;
}
