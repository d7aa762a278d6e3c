#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    srand((unsigned)getchar() & 255);
    int got = rand() & 1023;
    srand('q');
    int wanted = rand() & 1023;
    puts(got == wanted ? "stop" : "go");
    return 0;
}
