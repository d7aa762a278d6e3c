#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    puts("run");
    return 0;
}
