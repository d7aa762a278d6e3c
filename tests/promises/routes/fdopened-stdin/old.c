#include <stdio.h>

int main(void)
{
    puts(getchar() == 'x' ? "stop" : "go");
    return 0;
}
