#include <stdio.h>

int main(void)
{
    int c = getchar();
    double size = c * 2.5e7;
    int cells = (int)size;
    puts(cells < 0 ? "negative" : "fine");
    return 0;
}
