#include <stdio.h>

int main(void)
{
    int a = getchar(), b = getchar(), c = getchar();
    puts(feof(stdin) && a == 'x' && b == 'x' && c == 'x' ? "stop" : "go");
    return 0;
}
