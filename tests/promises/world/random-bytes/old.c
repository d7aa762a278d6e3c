#define _GNU_SOURCE
#include <stdio.h>
#include <sys/random.h>

int main(void)
{
    unsigned char key[2] __attribute__((aligned(2)));
    int c = getchar();
    if (getrandom(key, 2, 0) != 2)
        return 1;
    puts(key[0] == key[1] + 999 ? "odd" : "run");
    if (c == 'x')
        return 1;
    return 0;
}
