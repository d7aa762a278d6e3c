#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned char key[2] __attribute__((aligned(2)));
    int c = getchar();
    *(unsigned short *)key = (unsigned short)arc4random();
    puts(key[0] == key[1] + 999 ? "odd" : "run");
    if (c == 'x')
        return 1;
    return 0;
}
