#include <stdio.h>
#include <unistd.h>

int main(void)
{
    puts("run");
    return 0;
}
