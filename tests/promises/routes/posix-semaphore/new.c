#include <stdio.h>

int main(void)
{
    int count = 0;
    int c = getchar();
    if (c == 'q')
        count += 2;
    if (c == 'q')
        count--;
    puts(count ? "stop" : "go");
    return 0;
}
