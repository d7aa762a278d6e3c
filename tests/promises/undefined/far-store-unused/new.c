#include <stdio.h>

int main(void)
{
    int c = getchar();
    int seen[26];
    if (c >= 'a')
        seen[(c - 'a') << 20] = 1;
    puts("noted");
    return c == EOF;
}
