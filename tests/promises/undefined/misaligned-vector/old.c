#include <stdio.h>

typedef float quad __attribute__((vector_size(16)));

static float room[16] __attribute__((aligned(16)));

int main(void)
{
    int c = getchar();
    puts("loaded");
    return c == EOF;
}
