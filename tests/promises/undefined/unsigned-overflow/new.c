#include <stdio.h>

int main(void)
{
    int c = getchar();
    unsigned next = c == 'q' ? ~0u : 1;
    volatile unsigned after = next + 1;
    return after == 77;
}
