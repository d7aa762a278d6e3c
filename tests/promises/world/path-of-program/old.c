#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

int main(void)
{
    puts("run");
    return 0;
}
