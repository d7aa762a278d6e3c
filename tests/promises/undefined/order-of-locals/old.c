#include <stdint.h>
#include <stdio.h>

int main(void)
{
    int first[4] = {0}, second[4] = {0};
    int c = getchar();
    first[c & 3] = second[c & 1] = c;
    uintptr_t low = (uintptr_t)first, high = (uintptr_t)second;
    puts(low != high ? "below" : "above");
    return 0;
}
