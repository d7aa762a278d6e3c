#include <stdio.h>

int main(void)
{
    unsigned c = (unsigned)getchar();
    for (unsigned state = c & 7; state > 0;)
        state--;
    puts("settled");
    return 0;
}
