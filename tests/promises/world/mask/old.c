#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    puts("run");
    return 0;
}
