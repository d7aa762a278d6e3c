#include <stdint.h>
#include <stdio.h>

static char room[64] __attribute__((aligned(16)));

int main(void)
{
    int c = getchar();
    int *from = (int *)room, *to = (int *)(room + 8 + (c == 'q'));
    puts((char *)to - (char *)from == 8 ? "two" : "odd");
    return 0;
}
