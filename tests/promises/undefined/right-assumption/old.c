#include <stdio.h>

int main(void)
{
    int c = getchar();
    puts(c == 'q' ? "special" : "plain");
    return 0;
}
