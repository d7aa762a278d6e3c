#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int c = getchar();
    printf("%d\n", c);
    fflush(stdout);
    _exit(c == 'q');
}
