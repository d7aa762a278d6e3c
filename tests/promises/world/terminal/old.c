#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    if (c == 'x')
        puts("stop");
    return 0;
}
