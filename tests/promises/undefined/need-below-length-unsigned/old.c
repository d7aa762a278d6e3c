#include <limits.h>
#include <stdio.h>

int main(void)
{
    unsigned length = (unsigned)getchar() << 24 | (unsigned)getchar();
    if (length > UINT_MAX - 16)
        puts("too long");
    else
        puts("allocate");
    return 0;
}
