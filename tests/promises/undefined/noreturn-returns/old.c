#include <stdio.h>
#include <stdlib.h>

static void leave(int c)
{
    if (c == 'q')
        exit(3);
}

int main(void)
{
    int c = getchar();
    leave(c);
    puts("stayed");
    return 0;
}
