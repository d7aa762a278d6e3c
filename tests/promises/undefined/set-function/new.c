#include <stdio.h>

static void greet(void)
{
    puts("hello");
}

static void (*action)(void) = NULL;

int main(void)
{
    int c = getchar();
    if (c == 'q')
        action = greet;
    else
        action = greet;
    action();
    return 0;
}
