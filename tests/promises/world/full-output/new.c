#include <stdio.h>

int main(void)
{
    puts("run");
    if (fflush(stdout) == EOF)
        return 7;
    return 0;
}
