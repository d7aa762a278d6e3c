#include <stdio.h>

int main(void)
{
    unsigned n = (unsigned)getchar() & 63;
    unsigned flag = n < 32 ? 1u << n : 0;
    printf("%u\n", flag);
    return 0;
}
