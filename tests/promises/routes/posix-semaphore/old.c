#include <stdio.h>

int main(void)
{
    int count = 0;
    int c = getchar();
    if (c == 'q')
        count = 1;
    puts(count ? "stop" : "go");
    return 0;
}
