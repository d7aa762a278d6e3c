#include <limits.h>
#include <stdio.h>

int main(void)
{
    unsigned length = (unsigned)getchar() << 24 | (unsigned)getchar();
    if (length + 16 < length)
        puts("too long");
    else
        puts("allocate");
    return 0;
}
