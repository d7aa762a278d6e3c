#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    srand((unsigned)getchar() & 255);
    int got = rand() & 1023;
    puts(got == 2000 ? "stop" : "go");
    return 0;
}
