#include <stdio.h>
#include <x86intrin.h>

int main(void)
{
    puts("run");
    return 0;
}
