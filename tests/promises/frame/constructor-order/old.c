#include <stdio.h>

static int state;

static void __attribute__((constructor(201), used)) one(void)
{
    state = 2 * state + 1;
}

static void __attribute__((constructor(202), used)) two(void)
{
    state = 2 * state + 2;
}

int main(void)
{
    printf("%d\n", state + getchar());
    return 0;
}
