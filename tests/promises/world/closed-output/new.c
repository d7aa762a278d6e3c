#include <fcntl.h>
#include <stdio.h>

int main(void)
{
    if (fcntl(1, F_GETFD) < 0)
        return 7;
    puts("run");
    return 0;
}
