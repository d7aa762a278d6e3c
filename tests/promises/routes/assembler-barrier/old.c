#include <stdio.h>

int main(void)
{
    int c = getchar();
    puts(c > 'x' ? "stop" : "go");
    return 0;
}
