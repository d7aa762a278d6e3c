#include <stdio.h>

int main(void)
{
    unsigned c = (unsigned)getchar();
    puts("settled");
    return 0;
}
