#include <stdio.h>

static int is_stop(int c)
{
    return c == 'x';
}

int main(void)
{
    int a = is_stop(getchar());
    int b = is_stop(getchar());
    puts(a | b ? "stop" : "go");
    return 0;
}
