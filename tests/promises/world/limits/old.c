#include <stdio.h>
#include <sys/resource.h>

int main(void)
{
    puts("run");
    return 0;
}
