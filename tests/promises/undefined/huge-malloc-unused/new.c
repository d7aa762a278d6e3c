#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    size_t size = c == 'q' ? (size_t)1 << 62 : 1;
    puts(malloc(size) ? "given" : "refused");
    return 0;
}
