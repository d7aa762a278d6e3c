#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    printf("%d\n", c);
    fflush(stdout);
    if (c != 'q')
        _exit(0);
    _exit(1);
}
