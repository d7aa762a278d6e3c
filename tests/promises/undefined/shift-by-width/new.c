#include <stdio.h>

int main(void)
{
    unsigned n = (unsigned)getchar() & 63;
    unsigned flag = 1u << n;
    printf("%u\n", flag);
    return 0;
}
