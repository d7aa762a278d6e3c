#include <limits.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (c == EOF)
        return 1;
    if (c == 'q')
        return 2;
    long scaled = LONG_MIN / (c - 'q');
    puts("fine");
    return 0;
}
