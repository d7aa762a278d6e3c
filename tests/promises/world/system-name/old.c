#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

int main(void)
{
    puts("run");
    return 0;
}
