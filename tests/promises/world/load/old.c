#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    puts("run");
    return 0;
}
