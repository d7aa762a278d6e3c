#define _GNU_SOURCE
#include <stdio.h>
#include <sys/random.h>

int main(void)
{
    unsigned char key[2] __attribute__((aligned(2)));
    int c = getchar();
    if (getrandom(key, 2, 0) != 2)
        return 1;
    (void)key;
    puts(c > 'x' ? "stop" : "go");
    return 0;
}
