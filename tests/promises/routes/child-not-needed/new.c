#include <stdio.h>

static int child(void)
{
    return getchar() & 127;
}

int main(void)
{
    puts(child() == 'x' ? "stop" : "go");
    return 0;
}
