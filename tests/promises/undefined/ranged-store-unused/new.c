#include <stdio.h>

int main(void)
{
    int c = getchar();
    int seen[26];
    if (c >= 'a' && c <= 'z')
        seen[c - 'a'] = 1;
    puts("noted");
    return c == EOF;
}
