#include <stdio.h>

int main(void)
{
    unsigned c = (unsigned)getchar();
    unsigned state = c;
    while (state == 'q')
        state = state * 1 + 0;
    puts("settled");
    return 0;
}
