#include <stdio.h>

static int state;

static void __attribute__((constructor)) one(void)
{
    state = 1;
}

int main(void)
{
    printf("%d\n", state + getchar());
    return 0;
}
