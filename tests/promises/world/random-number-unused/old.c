#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned char key[2] __attribute__((aligned(2)));
    int c = getchar();
    *(unsigned short *)key = (unsigned short)arc4random();
    (void)key;
    puts(c > 'x' ? "stop" : "go");
    return 0;
}
