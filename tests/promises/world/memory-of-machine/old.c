#include <stdio.h>
#include <sys/sysinfo.h>

int main(void)
{
    puts("run");
    return 0;
}
