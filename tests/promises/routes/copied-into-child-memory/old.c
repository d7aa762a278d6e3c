#include <stdio.h>

int main(void)
{
    int a = getchar(), b = getchar();
    puts(a == 'x' || b == 'x' ? "stop" : "go");
    return 0;
}
