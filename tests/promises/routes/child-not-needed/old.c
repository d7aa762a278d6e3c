#include <stdio.h>

int main(void)
{
    int status = getchar() & 127;
    puts(status == 'x' ? "stop" : "go");
    return 0;
}
