#include <stdio.h>

int main(void)
{
    int c = getchar();
    double size = c * 0.5;
    int cells = size < 1000 ? (int)size : 0;
    puts(cells < 0 ? "negative" : "fine");
    return 0;
}
