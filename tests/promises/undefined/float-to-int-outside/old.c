#include <stdio.h>

int main(void)
{
    int c = getchar();
    double size = c * 2.5e7;
    int cells = size < 2147483648.0 ? (int)size : 0;
    puts(cells < 0 ? "negative" : "fine");
    return 0;
}
