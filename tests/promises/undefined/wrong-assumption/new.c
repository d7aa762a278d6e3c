#include <stdio.h>

int main(void)
{
    int c = getchar();
    __builtin_assume(c != 'q');
    puts(c == 'q' ? "special" : "plain");
    return 0;
}
