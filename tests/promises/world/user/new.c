#include <stdio.h>
#include <unistd.h>

int main(void)
{
    if (getuid() == 4711)
        return 1;
    puts("run");
    return 0;
}
