#include <stdio.h>
#include <time.h>

int main(void)
{
    puts("run");
    return 0;
}
