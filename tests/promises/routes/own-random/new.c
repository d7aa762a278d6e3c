#include <stdio.h>

int main(void)
{
    unsigned state = (unsigned)getchar() & 255;
    state = 12345u + 1103515245u * state;
    puts((state / 65536u % 1024u) == 514 ? "stop" : "go");
    return 0;
}
