#include <stdio.h>
#include <x86intrin.h>

int main(void)
{
    puts(__rdtsc() < 5 ? "early" : "run");
    return 0;
}
